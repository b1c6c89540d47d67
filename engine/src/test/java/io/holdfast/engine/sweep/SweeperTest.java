package io.holdfast.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.engine.projection.JournalFeed;
import io.holdfast.engine.projection.OwedProjection;
import io.holdfast.engine.projection.ProjectionListener;
import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SweeperTest {

    private static final Duration NEVER_AGAIN = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<AutoCloseable> running = new ArrayList<>();
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private final AtomicInteger passes = new AtomicInteger();
    private JournalDatabase database;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
        database.close();
    }

    private Sweeper sweep(Duration interval, int batch, Waker waker) {
        Sweeper sweeper = new Sweeper(
                database.sessions(),
                JournalDatabase.quick(),
                new SweepSettings(MINUTE, interval, batch, 100_000),
                waker,
                new SweepListener() {
                    @Override
                    public void passed(int entities) {
                        passes.incrementAndGet();
                    }
                });
        running.add(sweeper);
        sweeper.start();
        return sweeper;
    }

    private void note(String machine, String entityId) {
        woken.add(machine + " " + entityId);
    }

    private void owe(String persistenceId, String machine, String wakeAt) throws SQLException {
        database.execute("insert into owed values ('" + persistenceId + "', '" + machine + "', 1, " + wakeAt + ")");
    }

    private void oweMany(int count) throws SQLException {
        database.execute(
                "insert into owed select 'm|' || n, 'm', 1, now() - interval '2 hours' + n * interval '1 second'"
                        + " from generate_series(1, " + count + ") n");
    }

    @Test
    void what_is_long_due_is_woken_oldest_first_and_the_rest_is_left_alone() throws SQLException {
        owe("m|due", "m", "now() - interval '2 minutes'");
        owe("other|a:b|c", "other", "now() - interval '3 days'");
        owe("m|within-grace", "m", "now() - interval '30 seconds'");
        owe("m|future", "m", "now() + interval '1 hour'");
        sweep(NEVER_AGAIN, 100, this::note);
        await().until(() -> passes.get() == 1);
        assertThat(woken).containsExactly("other a:b|c", "m due");
    }

    @Test
    void more_than_a_batch_is_woken_once_each_in_one_pass_though_all_stay_due() throws SQLException {
        oweMany(95);
        sweep(NEVER_AGAIN, 10, this::note);
        await().until(() -> passes.get() == 1);
        assertThat(woken).hasSize(95).doesNotHaveDuplicates();
        assertThat(woken.getFirst()).isEqualTo("m 1");
        assertThat(woken.getLast()).isEqualTo("m 95");
    }

    @Test
    void many_due_at_the_same_moment_are_all_reached() throws SQLException {
        database.execute("insert into owed select 'm|' || n, 'm', 1, '2026-01-01' from generate_series(1, 25) n");
        sweep(NEVER_AGAIN, 10, this::note);
        await().until(() -> passes.get() == 1);
        assertThat(woken).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void what_stays_due_is_woken_again_in_the_next_pass_and_what_rests_is_not() throws SQLException {
        owe("m|stays", "m", "now() - interval '1 hour'");
        owe("m|rests", "m", "now() - interval '1 hour'");
        sweep(Duration.ofMillis(20), 10, (machine, entityId) -> {
            note(machine, entityId);
            if (entityId.equals("rests")) {
                try {
                    database.execute("delete from owed where persistence_id = 'm|rests'");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        await().until(() -> passes.get() >= 4);
        assertThat(woken).filteredOn("m rests"::equals).hasSize(1);
        assertThat(woken).filteredOn("m stays"::equals).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void an_entity_that_can_not_be_asked_keeps_nobody_else_from_being_asked() throws SQLException {
        oweMany(5);
        sweep(NEVER_AGAIN, 2, (machine, entityId) -> {
            if (entityId.equals("2")) {
                throw new IllegalArgumentException("no such machine on this node");
            }
            note(machine, entityId);
        });
        await().until(() -> passes.get() == 1);
        assertThat(woken).containsExactly("m 1", "m 3", "m 4", "m 5");
    }

    @Test
    void one_node_sweeps_and_another_takes_over() throws SQLException {
        oweMany(5);
        Sweeper one = sweep(NEVER_AGAIN, 10, (machine, entityId) -> woken.add("one " + entityId));
        await().until(() -> passes.get() == 1);
        Sweeper two = sweep(NEVER_AGAIN, 10, (machine, entityId) -> woken.add("two " + entityId));
        assertThat(two.running()).isFalse();
        one.close();
        await().until(() -> passes.get() == 2);
        assertThat(woken).hasSize(10).startsWith("one 1").endsWith("two 5");
    }

    @Test
    void a_lost_connection_ends_a_pass_and_the_next_one_finds_everything() throws SQLException {
        oweMany(30);
        sweep(Duration.ofMillis(20), 10, (machine, entityId) -> {
            note(machine, entityId);
            if (woken.size() == 15) {
                try {
                    database.execute(
                            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast"
                                    + " sweeper'");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        await().untilAsserted(() -> assertThat(woken).contains("m 30"));
    }

    @Test
    void what_a_dead_node_left_in_the_journal_is_found_through_the_projection() throws SQLException {
        database.append("m|left", 1, "{\"wake_at\":\"2026-01-01T00:00:00Z\"}");
        database.append("m|done", 1, "{\"wake_at\":\"2026-01-01T00:00:00Z\"}");
        database.append("m|done", 2, "{}");
        ProjectionRunner owed = new ProjectionRunner(
                new OwedProjection(),
                database.sessions(),
                new JournalFeed(new Bell()),
                JournalDatabase.quick(),
                JournalDatabase.settings(100),
                ProjectionListener.NONE);
        running.add(owed);
        owed.start();
        sweep(Duration.ofMillis(20), 10, this::note);
        await().untilAsserted(() -> assertThat(woken).contains("m left"));
        assertThat(woken).doesNotContain("m done");
    }

    @Test
    void the_backlog_says_how_much_is_owed_and_for_how_long() throws SQLException {
        assertThat(Backlog.read(database.pool())).isEqualTo(new Backlog(0, 0, java.util.Optional.empty()));
        owe("m|due", "m", "now() - interval '2 minutes'");
        owe("m|future", "m", "now() + interval '1 hour'");
        Backlog backlog = Backlog.read(database.pool());
        assertThat(backlog.owed()).isEqualTo(2);
        assertThat(backlog.due()).isEqualTo(1);
        assertThat(backlog.oldest())
                .hasValueSatisfying(age -> assertThat(age).isGreaterThanOrEqualTo(Duration.ofMinutes(2)));
    }
}
