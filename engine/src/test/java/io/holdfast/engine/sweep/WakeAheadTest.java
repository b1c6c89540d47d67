package io.holdfast.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The timers here are lists: a test rings them itself. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class WakeAheadTest {

    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Duration LEAD = Duration.ofSeconds(10);

    private final List<AutoCloseable> running = new ArrayList<>();
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private final List<Set> set = new CopyOnWriteArrayList<>();
    private JournalDatabase database;

    private record Set(Duration delay, Runnable ring) {}

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

    private WakeAhead plan(Duration interval, int most, int batch, Waker waker) {
        var ahead = new WakeAhead(
                database.sessions(),
                JournalDatabase.quick(),
                new AheadSettings(WINDOW, interval, LEAD, most, batch),
                (delay, ring) -> set.add(new Set(delay, ring)),
                waker,
                SweepListener.NONE);
        running.add(ahead);
        ahead.start();
        return ahead;
    }

    private WakeAhead plan(int most, int batch) {
        return plan(Duration.ofMillis(20), most, batch, this::note);
    }

    private void note(String machine, String entityId) {
        woken.add(machine + " " + entityId);
    }

    private void owe(String persistenceId, String wakeAt) throws SQLException {
        database.execute("insert into owed values ('" + persistenceId + "', split_part('" + persistenceId
                + "', '|', 1), 1, " + wakeAt + ")");
    }

    private void ringAll() {
        set.forEach(each -> each.ring().run());
    }

    /** Two passes begun after this moment have ended. */
    private void letItLook() throws SQLException {
        int before = set.size();
        owe("marker|" + before, "now() + interval '9 minutes'");
        await().until(() -> set.size() > before);
    }

    @Test
    void what_comes_due_within_the_window_is_woken_a_little_before_its_time() throws SQLException {
        owe("m|soon", "now() + interval '5 minutes'");
        owe("other|a:b|c", "now() + interval '6 minutes'");
        plan(100, 100);
        await().until(() -> set.size() == 2);
        assertThat(woken).isEmpty();
        assertThat(set.getFirst().delay())
                .isLessThanOrEqualTo(Duration.ofMinutes(5).minus(LEAD.dividedBy(2)))
                .isGreaterThan(Duration.ofMinutes(4));
        ringAll();
        assertThat(woken).containsExactly("m soon", "other a:b|c");
    }

    @Test
    void what_is_due_already_or_far_off_is_left_to_others() throws SQLException {
        owe("m|due", "now() - interval '1 second'");
        owe("m|far", "now() + interval '11 minutes'");
        owe("m|in-a-century", "now() + interval '100 years'");
        plan(100, 100);
        letItLook();
        assertThat(set).hasSize(1);
    }

    @Test
    void one_that_comes_sooner_than_the_lead_is_woken_at_once() throws SQLException {
        owe("m|now", "now() + interval '4 seconds'");
        plan(100, 100);
        await().until(() -> set.size() == 1);
        assertThat(set.getFirst().delay()).isZero();
    }

    @Test
    void many_due_at_one_moment_are_spread_over_half_the_lead() throws SQLException {
        database.execute("insert into owed select 'm|' || n, 'm', 1, now() + interval '5 minutes'"
                + " from generate_series(1, 200) n");
        plan(1000, 50);
        await().until(() -> set.size() == 200);
        assertThat(set.stream().map(each -> each.delay().toMillis() / 100).distinct())
                .as("tenths of a second at which some ring")
                .hasSizeGreaterThan(20);
    }

    @Test
    void each_gets_one_timer_however_often_the_window_is_looked_at() throws SQLException {
        owe("m|soon", "now() + interval '5 minutes'");
        plan(100, 100);
        letItLook();
        letItLook();
        ringAll();
        assertThat(woken).filteredOn("m soon"::equals).hasSize(1);
    }

    @Test
    void a_changed_time_gets_a_timer_of_its_own() throws SQLException {
        owe("m|moved", "now() + interval '5 minutes'");
        plan(100, 100);
        await().until(() -> set.size() == 1);
        database.execute("update owed set wake_at = now() + interval '7 minutes'");
        await().until(() -> set.size() == 2);
        assertThat(set.getLast().delay()).isGreaterThan(Duration.ofMinutes(6));
    }

    @Test
    void no_more_timers_are_kept_than_allowed_and_the_rest_follows_as_they_ring_though_its_time_has_come()
            throws SQLException {
        database.execute("insert into owed select 'm|' || lpad(n::text, 2, '0'), 'm', 1, now() + interval '300 ms'"
                + " from generate_series(1, 25) n");
        plan(10, 4);
        await().until(() -> set.size() == 10);
        await().until(() ->
                database.one("select count(*) from owed where wake_at < now()").equals("25"));
        assertThat(set).hasSize(10);
        ringAll();
        await().until(() -> set.size() == 20);
        ringAll();
        await().until(() -> set.size() == 25);
        ringAll();
        assertThat(woken).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void one_that_can_not_be_asked_keeps_nobody_else_from_being_asked() throws SQLException {
        owe("m|unknown", "now() + interval '5 minutes'");
        owe("m|known", "now() + interval '6 minutes'");
        plan(Duration.ofMinutes(5), 100, 100, (machine, entityId) -> {
            if (entityId.equals("unknown")) {
                throw new IllegalArgumentException("no such machine on this node");
            }
            note(machine, entityId);
        });
        await().until(() -> set.size() == 2);
        ringAll();
        assertThat(woken).containsExactly("m known");
    }

    @Test
    void one_node_plans_and_when_it_stops_another_does_and_its_timers_ring_no_more() throws SQLException {
        owe("m|soon", "now() + interval '5 minutes'");
        WakeAhead one = plan(Duration.ofMinutes(5), 100, 100, (machine, entityId) -> woken.add("one"));
        await().until(() -> set.size() == 1);
        WakeAhead two = plan(Duration.ofMinutes(5), 100, 100, (machine, entityId) -> woken.add("two"));
        assertThat(two.running()).isFalse();
        one.close();
        await().until(() -> set.size() == 2);
        ringAll();
        assertThat(woken).containsExactly("two");
    }

    @Test
    void a_lost_connection_changes_nothing_but_that_the_window_is_looked_at_again() throws SQLException {
        owe("m|before", "now() + interval '5 minutes'");
        plan(100, 100);
        await().until(() -> set.size() == 1);
        database.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name = 'holdfast wake-ahead'");
        owe("m|after", "now() + interval '5 minutes'");
        await().until(() -> set.size() == 2);
        ringAll();
        assertThat(woken).containsExactly("m before", "m after");
    }

    @Test
    void a_window_that_lets_some_slip_through_is_refused() {
        assertThatThrownBy(() -> new AheadSettings(Duration.ofSeconds(20), Duration.ofSeconds(16), LEAD, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("window");
    }
}
