package io.holdfast.engine.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DividedInFleetTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final FleetSettings SLOW = new FleetSettings(
            HOUR, Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofHours(4), new Backoff(HOUR, HOUR, 1, 0));

    private JournalDatabase database;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
    }

    @AfterEach
    void end() {
        database.close();
    }

    /** Counts what happens to it; waits as it is told. */
    private static final class Counting implements DividedWork {
        private final Pause pause;
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private volatile boolean broken;

        Counting(Pause pause) {
            this.pause = pause;
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public SortedSet<Integer> units() {
            return new TreeSet<>(List.of(0, 1));
        }

        @Override
        public void begin(Connection connection) {}

        @Override
        public void hold(Connection connection, SortedSet<Integer> units) {}

        @Override
        public Pause round(Connection connection) throws SQLException {
            rounds.incrementAndGet();
            if (broken) {
                throw new SQLException("broken");
            }
            return pause;
        }

        @Override
        public void failed(Throwable failure) {
            failures.incrementAndGet();
        }
    }

    @Test
    void a_ring_ends_the_wait_between_two_rounds_and_so_does_a_notify() throws SQLException {
        var work = new Counting(new Pause(Duration.ZERO, HOUR));
        try (var bell = new Bell();
                var loop = new DividedInFleet(work, database.sessions(), bell, SLOW)) {
            loop.start();
            await().until(() -> work.rounds.get() == 1);
            bell.ring();
            await().until(() -> work.rounds.get() == 2);
            bell.listen(database.sessions(), SLOW);
            await().until(() -> work.rounds.get() == 3); // for what the bell may have missed
            database.execute("notify " + Bell.CHANNEL);
            await().until(() -> work.rounds.get() == 4);
        }
    }

    @Test
    void a_ring_does_not_end_the_least_wait_and_closing_does() {
        var work = new Counting(Pause.of(HOUR));
        try (var bell = new Bell();
                var loop = new DividedInFleet(work, database.sessions(), bell, SLOW)) {
            loop.start();
            await().until(() -> work.rounds.get() == 1);
            bell.ring();
        }
        assertThat(work.rounds).hasValue(1);
    }

    @Test
    void a_loop_that_failed_says_so_until_a_round_has_gone_well() throws SQLException {
        var work = new Counting(Pause.of(Duration.ofMillis(1)));
        work.broken = true;
        try (var bell = new Bell();
                var loop = new DividedInFleet(work, database.sessions(), bell, JournalDatabase.quick())) {
            loop.start();
            await().until(() -> work.failures.get() >= 3);
            assertThat(loop.trouble()).hasValueSatisfying(why -> assertThat(why).contains("broken"));
            work.broken = false;
            await().until(() -> loop.trouble().isEmpty() && loop.running());
        }
    }

    @Test
    void whoever_takes_part_is_seen_by_others_until_it_stops() throws SQLException {
        var work = new Counting(Pause.of(HOUR));
        try (var session = database.sessions().open()) {
            assertThat(FleetMembers.any(session, "counting")).isFalse();
            try (var bell = new Bell();
                    var loop = new DividedInFleet(work, database.sessions(), bell, SLOW)) {
                loop.start();
                await().until(() -> FleetMembers.any(session, "counting"));
                assertThat(FleetMembers.any(session, "other work")).isFalse();
            }
            await().until(() -> !FleetMembers.any(session, "counting"));
        }
    }
}
