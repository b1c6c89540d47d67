package io.holdfast.config.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MigrationsTest {

    private final PostgresServer server = SharedStack.postgres();
    private final PGSimpleDataSource database = new PGSimpleDataSource();

    @BeforeEach
    void empty_database(TestInfo test) {
        String name = "m" + Integer.toHexString(test.getDisplayName().hashCode() & 0x7fffffff);
        database.setUrl(SharedStack.freshDatabase(name));
        database.setUser(server.user());
        database.setPassword(server.password());
    }

    @Test
    void an_empty_database_is_brought_to_the_current_schema_once() {
        Migrations migrations = new Migrations(database);

        assertThatThrownBy(migrations::requireCurrent).isInstanceOf(MigrationException.class);
        assertThat(migrations.migrate()).isPositive();
        assertThat(migrations.migrate()).isZero();
        migrations.requireCurrent();
    }

    @Test
    void nodes_that_start_together_migrate_once() throws Exception {
        createRoles();
        List<Callable<Integer>> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(() -> new Migrations(database).migrate());
        }
        List<Integer> applied = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(3)) {
            for (Future<Integer> node : threads.invokeAll(nodes)) {
                applied.add(node.get());
            }
        }
        // They may share the work, and none of it is done twice.
        int migrations = applied.stream().mapToInt(Integer::intValue).sum();
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            assertThat(count(s, "select count(*) from flyway_schema_history where type = 'SQL' and success"))
                    .isEqualTo(migrations);
            assertThat(count(s, "select count(distinct version) from flyway_schema_history where type = 'SQL'"))
                    .isEqualTo(migrations);
        }
        assertThat(new Migrations(database).migrate()).isZero();
    }

    @Test
    void the_writer_of_the_journal_may_add_and_read_and_not_change() throws SQLException {
        createRoles();
        new Migrations(database).migrate();
        try (Connection writer = DriverManager.getConnection(database.getUrl(), "holdfast_journal", "x");
                Statement s = writer.createStatement()) {
            s.execute("insert into event_journal"
                    + " (persistence_id, sequence_number, writer, event_ser_id, event_ser_manifest, event_payload)"
                    + " values ('m|1', 1, 'w', 1, '', '{\"type\":\"X\"}')");
            assertThat(count(s, "select count(*) from event_journal where slice between 0 and 127"))
                    .isEqualTo(1);
            for (String change : List.of(
                    "update event_journal set deleted = true",
                    "delete from event_journal",
                    "truncate event_journal",
                    "insert into owed values ('m|1', 'm', 1, now())")) {
                assertThatThrownBy(() -> s.execute(change)).hasMessageContaining("permission denied");
            }
        }
        try (Connection reader = DriverManager.getConnection(database.getUrl(), "holdfast_projection", "x");
                Statement s = reader.createStatement()) {
            assertThat(count(s, "select count(*) from event_journal")).isEqualTo(1);
            s.execute("insert into owed values ('m|1', 'm', 1, now())");
            assertThatThrownBy(() -> s.execute("delete from event_journal")).hasMessageContaining("permission denied");
        }
    }

    @Test
    void the_projector_has_partitions_of_the_ledger_made_and_takes_none_out_and_archives_nothing() throws SQLException {
        createRoles();
        new Migrations(database).migrate();
        try (Connection projector = DriverManager.getConnection(database.getUrl(), "holdfast_projection", "x");
                Statement s = projector.createStatement()) {
            s.execute("select stock_ledger_prepare('2026-11-29')");
            s.execute(
                    "insert into stock_ledger (pool, day, epoch, version, operation_id, action, quantity, total_delta,"
                            + " deficit_delta, available_delta, reserved_delta, sold_delta, total, deficit, available,"
                            + " reserved, sold, at, sequence_number, xid, ordering) values ('m:d:2026-11-29',"
                            + " '2026-11-29', 1, 1, 'i', 'INIT', 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, now(), 1, 1, 1)");
            assertThat(count(s, "select count(*) from stock_ledger")).isEqualTo(1);
            s.execute("truncate stock_ledger, stock_book");
            assertThat(count(s, "select count(*) from stock_snapshot")).isZero();
            for (String forbidden : List.of(
                    "select stock_ledger_detach('2026-11-29')",
                    "select journal_archive('2026-11-29', 1)",
                    "delete from event_journal_archive",
                    "drop table stock_ledger_2026_11")) {
                assertThatThrownBy(() -> s.execute(forbidden))
                        .as(forbidden)
                        .hasMessageMatching("(?s).*(permission denied|must be owner).*");
            }
        }
    }

    @Test
    void the_order_service_decides_its_own_tables_and_rewrites_no_ledger() throws SQLException {
        createRoles();
        new Migrations(database).migrate();
        String sale = "insert into sku_inventory values ('summer', 'phone', 5, 5, 0, 0, 1)";
        try (Connection orders = DriverManager.getConnection(database.getUrl(), "holdfast_orders", "x");
                Statement s = orders.createStatement()) {
            s.execute(sale);
            s.execute("insert into order_ledger values"
                    + " ('summer', 'phone', 1, 'set-1', 'SET_TOTAL', null, 5, 5, 0, 0, 5, 5, 0, 0)");
            s.execute("update sku_inventory set available_stock = 4, occupied_stock = 1");
            s.execute("delete from orders");
            for (String forbidden : List.of(
                    "update order_ledger set initial_delta = 0",
                    "delete from order_ledger",
                    "delete from order_refund",
                    "delete from consumer_inbox",
                    "delete from payment_record",
                    "delete from sku_inventory",
                    "select from event_journal")) {
                assertThatThrownBy(() -> s.execute(forbidden)).as(forbidden).hasMessageContaining("permission denied");
            }
        }
        try (Connection projector = DriverManager.getConnection(database.getUrl(), "holdfast_projection", "x");
                Statement s = projector.createStatement()) {
            assertThat(count(s, "select count(*) from sku_inventory")).isEqualTo(1);
            assertThatThrownBy(() -> s.execute("delete from orders")).hasMessageContaining("permission denied");
        }
    }

    @Test
    void whoever_reads_everything_reads_no_secret_of_a_webhook() throws SQLException {
        createRoles();
        new Migrations(database).migrate();
        try (Connection reader = DriverManager.getConnection(database.getUrl(), "holdfast_reader", "x");
                Statement s = reader.createStatement()) {
            assertThat(count(s, "select count(*) from webhook")).isZero();
            assertThat(count(s, "select count(*) from webhook_delivery")).isZero();
            assertThatThrownBy(() -> s.execute("select from webhook_secret")).hasMessageContaining("permission denied");
        }
        String webhook = "insert into webhook (id, url, types, description, created_by, cause_id, content_hash, status,"
                + " failures) values ('w', '%s', '{}', '', 'a', 'c', 'h', '%s', %s)";
        try (Connection c = DriverManager.getConnection(database.getUrl(), "holdfast_projection", "x");
                Statement s = c.createStatement()) {
            for (String wrong : List.of(
                    webhook.formatted("x", "ENABLED", 0),
                    webhook.formatted("https://x", "DISABLED", 0),
                    webhook.formatted("https://x", "ENABLED", 1))) {
                assertThatThrownBy(() -> s.execute(wrong)).as(wrong).hasMessageContaining("check constraint");
            }
            s.execute(webhook.formatted("https://x", "ENABLED", 0));
            assertThatThrownBy(() -> s.execute("insert into webhook_secret values ('w', 1, 'short')"))
                    .hasMessageContaining("check constraint");
        }
    }

    @Test
    void orders_that_contradict_themselves_can_not_be_written() throws SQLException {
        new Migrations(database).migrate();
        String order = "insert into orders (order_id, message_id, request_id, activity, sku, user_id, quantity, status,"
                + " payment_id, paid_at, cancelled_at, reserved_at, business_deadline, created_at, pay_by) values"
                + " ('%s', 'm-%1$s', 'q', 'summer', 'phone', '%s', 1, '%s', %s, %s, %s,"
                + " now(), now() + interval '1 s', now(), now() + interval '1 s')";
        try (Connection c = database.getConnection();
                Statement s = c.createStatement()) {
            s.execute("insert into sku_inventory values ('summer', 'phone', 5, 5, 0, 0, 1)");
            s.execute(order.formatted("r-1", "u-1", "CREATED", "null", "null", "null"));
            s.execute(order.formatted("r-2", "u-2", "PAID", "'p-1'", "now()", "null"));
            s.execute(order.formatted("r-3", "u-1", "CANCELLED", "null", "null", "now()"));
            for (String forbidden : List.of(
                    "update sku_inventory set available_stock = -1, occupied_stock = 6",
                    "update sku_inventory set available_stock = 6",
                    order.formatted("r-4", "u-1", "CANCEL_PENDING", "null", "null", "null"),
                    order.formatted("r-4", "u-2", "CREATED", "null", "null", "null"),
                    order.formatted("r-4", "u-4", "PAID", "null", "null", "null"),
                    order.formatted("r-4", "u-4", "CANCELLED", "null", "null", "null"),
                    order.formatted("r-4", "u-4", "REFUNDED", "'p-4'", "now()", "null"),
                    "insert into consumer_inbox values ('g', 'm', 'r', 'DEADLINE', decode(repeat('00', 32), 'hex'),"
                            + " 'CREATED')",
                    "insert into consumer_inbox values ('g', 'm', 'r', 'REQUEST', '\\x00', 'CREATED')",
                    "insert into order_ledger values"
                            + " ('summer', 'phone', 1, 'x', 'OCCUPY', 'r-1', 0, -1, 2, 0, 5, 4, 1, 0)")) {
                assertThatThrownBy(() -> s.execute(forbidden))
                        .as(forbidden)
                        .hasMessageMatching("(?s).*(violates|duplicate key).*");
            }
        }
    }

    @Test
    void the_journal_is_readable_with_plain_sql_even_where_a_payload_is_broken() throws SQLException {
        new Migrations(database).migrate();
        try (Connection c = database.getConnection();
                Statement s = c.createStatement()) {
            s.execute("insert into event_journal (persistence_id, sequence_number, writer, event_ser_id,"
                    + " event_ser_manifest, event_payload) values ('pool|m:d:2026-01-01', 1, 'w', 1, '',"
                    + " '{\"v\":1,\"type\":\"Opened\",\"at\":\"2026-01-01T00:00:00Z\","
                    + "\"cause\":{\"id\":\"k\",\"kind\":\"REQUEST\",\"actor\":\"shop\"},\"data\":{\"total\":5}}'),"
                    + " ('pool|m:d:2026-01-01', 2, 'w', 1, '', '\\xff00')");
            try (ResultSet r = s.executeQuery("select machine, entity_id, type, data ->> 'total', actor, cause_kind"
                    + " from journal_readable order by sequence_number")) {
                r.next();
                assertThat(List.of(
                                r.getString(1),
                                r.getString(2),
                                r.getString(3),
                                r.getString(4),
                                r.getString(5),
                                r.getString(6)))
                        .containsExactly("pool", "m:d:2026-01-01", "Opened", "5", "shop", "REQUEST");
                r.next();
                assertThat(r.getString(3)).isEqualTo("(unreadable)");
            }
        }
    }

    private void createRoles() throws SQLException {
        try (Connection owner = database.getConnection();
                Statement s = owner.createStatement()) {
            for (String role :
                    List.of("holdfast_journal", "holdfast_projection", "holdfast_orders", "holdfast_reader")) {
                if (count(s, "select count(*) from pg_roles where rolname = '" + role + "'") == 0) {
                    s.execute("create role " + role + " login password 'x'");
                }
            }
        }
    }

    private static long count(Statement s, String query) throws SQLException {
        try (ResultSet r = s.executeQuery(query)) {
            r.next();
            return r.getLong(1);
        }
    }
}
