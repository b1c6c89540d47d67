package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.fleet.Bell;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** For tests: nodes that run projections on one database, and what is asked of them. */
final class RunningNodes implements AutoCloseable {

    static final OrderedBy SOMEBODY = new OrderedBy("test", "to see");

    final JournalDatabase database;
    final Projections projections;
    final ProjectionOrders orders;
    private final List<ProjectionRunner> runners = new ArrayList<>();

    RunningNodes(JournalDatabase database) {
        this.database = database;
        this.projections = new Projections(database.pool());
        this.orders = new ProjectionOrders(database.pool());
    }

    ProjectionRunner start(Projection projection, int batchRows) {
        return start(projection, JournalDatabase.settings(batchRows), ProjectionListener.NONE);
    }

    ProjectionRunner start(Projection projection, ProjectionSettings settings, ProjectionListener listener) {
        ProjectionRunner runner = new ProjectionRunner(
                projection,
                database.sessions(),
                new JournalFeed(new Bell()),
                JournalDatabase.quick(),
                settings,
                listener);
        runners.add(runner);
        runner.start();
        return runner;
    }

    /** So many events of each of so many entities, named m|0 and so on. */
    void append(int entities, int fromEvent, int toEvent) throws SQLException {
        try (Connection c = database.connect()) {
            c.setAutoCommit(false);
            for (int n = fromEvent; n <= toEvent; n++) {
                for (int e = 0; e < entities; e++) {
                    JournalDatabase.append(c, "m|" + e, n, "{}");
                }
                c.commit();
            }
        }
    }

    void awaitSeen(long events) {
        await().untilAsserted(() ->
                assertThat(database.one("select count(*) from seen")).isEqualTo(Long.toString(events)));
    }

    /** Every event of the journal once, and those of one entity in their order. */
    void assertEachOnceInOrder() throws SQLException {
        assertThat(database.query("select persistence_id || '#' || sequence_number from seen order by 1"))
                .isEqualTo(database.query(
                        "select persistence_id || '#' || sequence_number from event_journal order by 1"));
        assertThat(database.one("select count(*) from (select sequence_number - row_number() over (partition by"
                        + " persistence_id order by at) as d from seen) x where d <> 0"))
                .as("events out of their entity's order")
                .isEqualTo("0");
    }

    /** Ends the sessions of all workers of a projection, as when their nodes are cut off. */
    void cutSessions(String projection) throws SQLException {
        database.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast"
                + " projection " + projection + "' and datname = current_database()");
    }

    void stopAll() {
        runners.forEach(ProjectionRunner::close);
    }

    @Override
    public void close() {
        stopAll();
        database.close();
    }
}
