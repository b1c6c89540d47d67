package io.holdfast.bench.raw;

import io.holdfast.config.sql.Migrations;
import io.holdfast.localstack.PostgresAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The transaction that makes an order, alone: inbox, order, units of one item, ledger, commit. Plain JDBC on the product's own tables, with
 * statements that the server keeps prepared, and nothing around it.
 */
public final class RawOrders {

    private static final String INBOX = """
        insert into consumer_inbox (consumer_group, message_id, reservation_id, decided_by, payload_hash, result)
        values ('bench', ?, ?, 'REQUEST', ?, 'CREATED')
        on conflict (consumer_group, message_id) do nothing
        """;

    private static final String ORDER = """
        insert into orders (
            order_id, message_id, request_id, activity, sku, user_id, quantity, status,
            reserved_at, business_deadline, created_at, pay_by)
        select ?, ?, 'r', s.activity, s.sku, ?, 1, 'CREATED', ?, ?, now(), now() + interval '15 minutes'
        from sku_inventory s
        where s.activity = 'bench' and s.sku = 'alone' and s.available_stock >= 1
        on conflict do nothing
        returning created_at, pay_by
        """;

    private static final String STOCK = """
        with moved as (
            update sku_inventory
            set available_stock = available_stock - 1, occupied_stock = occupied_stock + 1, version = version + 1,
                updated_at = clock_timestamp()
            where activity = 'bench' and sku = 'alone' and available_stock >= 1
            returning *)
        insert into order_ledger (
            activity, sku, version, operation_id, action, order_id,
            initial_delta, available_delta, occupied_delta, sold_delta,
            initial_stock, available_stock, occupied_stock, sold_stock)
        select activity, sku, version, ?, 'OCCUPY', ?, 0, -1, 1, 0,
               initial_stock, available_stock, occupied_stock, sold_stock
        from moved
        """;

    private static final List<Integer> CONNECTIONS = List.of(1, 2, 4, 8);

    private final PostgresAddress database;
    private int runs;

    /** In an empty database. */
    public RawOrders(PostgresAddress database) throws SQLException {
        this.database = database;
        PGSimpleDataSource owner = new PGSimpleDataSource();
        owner.setUrl(database.jdbcUrl());
        owner.setUser(database.user());
        owner.setPassword(database.password());
        new Migrations(owner).migrate();
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(
                    "insert into sku_inventory (activity, sku, initial_stock, available_stock, occupied_stock,"
                            + " sold_stock, version) values ('bench', 'alone', 1000000000, 1000000000, 0, 0, 0)");
        }
    }

    /**
     * Tries numbers of connections.
     *
     * @param each how long each is tried
     * @return the one that makes the most orders
     */
    public int best(Duration each) throws SQLException, InterruptedException {
        int best = CONNECTIONS.getFirst();
        double most = -1;
        for (int tried : CONNECTIONS) {
            double rate = run(tried, each.dividedBy(3), each.multipliedBy(2).dividedBy(3))
                    .perSecond();
            if (rate > most) {
                most = rate;
                best = tried;
            }
        }
        return best;
    }

    /** Makes orders over so many connections. */
    public RawRate run(int connections, Duration warmUp, Duration counted) throws InterruptedException {
        int run = ++runs;
        return RawLoop.run(
                "the transaction of an order, " + connections + " connections",
                connections,
                i -> () -> new Maker(connect(), "r" + run + "-" + i + "-"),
                warmUp,
                counted);
    }

    /** What is off: orders, their units and their ledger are one number. */
    public List<String> check() throws SQLException {
        List<String> off = new ArrayList<>();
        try (Connection connection = connect();
                var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select occupied_stock, version,"
                        + " (select count(*) from orders), (select count(*) from consumer_inbox),"
                        + " (select count(*) from order_ledger) from sku_inventory")) {
            row.next();
            for (int column = 2; column <= 5; column++) {
                if (row.getLong(column) != row.getLong(1)) {
                    off.add("orders alone: " + row.getLong(1) + " units and " + row.getLong(column) + " in column "
                            + column);
                }
            }
        }
        return off;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }

    private static final class Maker implements RawLoop.Doer {

        private static final byte[] HASH = new byte[32];

        private final Connection connection;
        private final PreparedStatement inbox;
        private final PreparedStatement order;
        private final PreparedStatement stock;
        private final String prefix;
        private long made;

        private Maker(Connection connection, String prefix) throws SQLException {
            this.connection = connection;
            connection.setAutoCommit(false);
            this.inbox = connection.prepareStatement(INBOX);
            this.order = connection.prepareStatement(ORDER);
            this.stock = connection.prepareStatement(STOCK);
            this.prefix = prefix;
        }

        @Override
        public int once() throws SQLException {
            String id = prefix + ++made;
            OffsetDateTime now = OffsetDateTime.now();
            inbox.setString(1, "m" + id);
            inbox.setString(2, id);
            inbox.setBytes(3, HASH);
            order.setString(1, id);
            order.setString(2, "m" + id);
            order.setString(3, "u" + id);
            order.setObject(4, now);
            order.setObject(5, now.plusMinutes(5));
            stock.setString(1, "CREATE:" + id);
            stock.setString(2, id);
            boolean all = inbox.executeUpdate() == 1 && one() && stock.executeUpdate() == 1;
            if (!all) {
                throw new SQLException("the order " + id + " was not made");
            }
            connection.commit();
            return 1;
        }

        private boolean one() throws SQLException {
            try (ResultSet row = order.executeQuery()) {
                return row.next();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
