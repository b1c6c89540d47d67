package io.holdfast.bench.sql;

import io.holdfast.localstack.PostgresAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stock and reservations in two tables. */
public final class SqlTables {

    /** Room on each page, so that a changed row stays on it and its indexes are left alone. */
    private static final List<String> SCHEMA = List.of("""
        create table sql_pool (
            pool_id   text   collate "C" primary key,
            total     bigint not null,
            available bigint not null check (available >= 0),
            reserved  bigint not null default 0 check (reserved >= 0),
            sold      bigint not null default 0 check (sold >= 0)
        ) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)
        """, """
        create table sql_reservation (
            reservation_id text        collate "C" primary key,
            pool_id        text        collate "C" not null,
            order_id       text        collate "C" not null,
            order_item_id  text        collate "C" not null,
            quantity       bigint      not null check (quantity > 0),
            status         text        not null,
            created_at     timestamptz not null default now(),
            updated_at     timestamptz not null default now()
        ) with (fillfactor = 70)
        """);

    private static final String SUMS = """
        select p.pool_id, p.total, p.available, p.reserved, p.sold, coalesce(r.reserved, 0), coalesce(r.sold, 0)
        from sql_pool p left join (
            select pool_id,
                   sum(quantity) filter (where status = 'RESERVED') as reserved,
                   sum(quantity) filter (where status = 'CONFIRMED') as sold
            from sql_reservation group by pool_id) r using (pool_id)
        """;

    private final PostgresAddress database;

    private SqlTables(PostgresAddress database) {
        this.database = database;
    }

    /** Makes the tables in an empty database. */
    public static SqlTables create(PostgresAddress database) throws SQLException {
        SqlTables tables = new SqlTables(database);
        try (Connection connection = tables.connect();
                var statement = connection.createStatement()) {
            for (String table : SCHEMA) {
                statement.execute(table);
            }
        }
        return tables;
    }

    /** Creates pools, each with this many units. */
    public void createPools(List<String> pools, long total) throws SQLException {
        try (Connection connection = connect();
                var insert = connection.prepareStatement(
                        "insert into sql_pool (pool_id, total, available) values (?, ?, ?)")) {
            for (String pool : pools) {
                insert.setString(1, pool);
                insert.setLong(2, total);
                insert.setLong(3, total);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /**
     * What is off: the books against themselves, against the reservations, and against what callers were told.
     *
     * @param told units held and sold, by pool
     */
    public List<String> check(Map<String, Units> told) throws SQLException {
        List<String> off = new ArrayList<>();
        Map<String, Units> missing = new HashMap<>(told);
        try (Connection connection = connect();
                var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SUMS)) {
            while (rows.next()) {
                String pool = rows.getString(1);
                var books = new Units(rows.getLong(4), rows.getLong(5));
                var reservations = new Units(rows.getLong(6), rows.getLong(7));
                Units wanted = missing.remove(pool);
                if (rows.getLong(2) != rows.getLong(3) + books.held() + books.sold()
                        || !books.equals(reservations)
                        || !books.equals(wanted)) {
                    off.add("sql-row, %s: %s acknowledged, %s in the books, %s in the reservations"
                            .formatted(pool, wanted, books, reservations));
                }
            }
        }
        missing.keySet().forEach(pool -> off.add("sql-row, " + pool + " is not there"));
        return off;
    }

    /** Units of one pool. */
    public record Units(long held, long sold) {}

    /** A connection on which statements are prepared at their first use. */
    Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        connection.unwrap(org.postgresql.PGConnection.class).setPrepareThreshold(1);
        return connection;
    }
}
