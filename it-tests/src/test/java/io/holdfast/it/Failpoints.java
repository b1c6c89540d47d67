package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Doors at {@link Failpoint failpoints}, in the database itself: triggers, at which the sessions of nodes wait for an advisory lock. Real
 * transactions stand still in the middle, with everything they have written, while the node is killed.
 */
final class Failpoints implements AutoCloseable {

    private static final String WAITING = """
        from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())\
        """;

    private final Connection connection;

    /** @param connection its own: it holds the locks */
    Failpoints(Connection connection) throws SQLException {
        this.connection = connection;
        execute("""
            create or replace function wait_at_failpoint() returns trigger language plpgsql as $$
            begin
                perform pg_advisory_xact_lock_shared(
                    hashtext(tg_argv[0]), hashtext(regexp_replace(to_jsonb(new) ->> tg_argv[1], '^.*[|]', '')));
                return new;
            end $$
            """);
        for (Failpoint point : Failpoint.values()) {
            if (ask("select count(*) from pg_trigger where tgname = '%s'".formatted(trigger(point)))
                    .equals("0")) {
                execute("create %s trigger %s %s on %s %s for each row when (%s) execute function"
                                .formatted(
                                        point.inCommit ? "constraint" : "",
                                        trigger(point),
                                        point.event,
                                        point.table,
                                        point.inCommit ? "deferrable initially deferred" : "",
                                        point.when)
                        + " wait_at_failpoint('%s', '%s')".formatted(point, point.order));
            }
        }
    }

    private static String trigger(Failpoint point) {
        return point.name().toLowerCase(Locale.ROOT);
    }

    /** From now on whoever comes there for this order waits. */
    void shut(Failpoint point, String order) throws SQLException {
        assertThat(ask("select pg_try_advisory_lock(%s)".formatted(key(point, order))))
                .isEqualTo("t");
    }

    /** Lets on whoever waits there for this order. */
    void open(Failpoint point, String order) throws SQLException {
        assertThat(ask("select pg_advisory_unlock(%s)".formatted(key(point, order))))
                .isEqualTo("t");
    }

    /** Whether somebody waits there for this order. */
    boolean isWaitedAt(Failpoint point, String order) throws SQLException {
        return ask("""
            select count(*) > 0 %s
              and (classid::bigint, objid::bigint)
                  = (hashtext('%s')::bigint & 4294967295, hashtext('%s')::bigint & 4294967295)\
            """.formatted(WAITING, point, order)).equals("t");
    }

    /**
     * Whoever still waits never gets on: their sessions end first, as they do once the server notices that the client is gone. Then all
     * doors are open.
     */
    void openToNobody() throws SQLException {
        // Of one that ends by itself just then it says that there was nothing to end.
        ask("select count(pg_terminate_backend(pid, 10000)) " + WAITING);
        assertThat(ask("select count(*) " + WAITING))
                .as("sessions that still wait")
                .isEqualTo("0");
        execute("select pg_advisory_unlock_all()");
    }

    private static String key(Failpoint point, String order) {
        return "hashtext('%s'), hashtext('%s')".formatted(point, order);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String ask(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        openToNobody();
        connection.close();
    }
}
