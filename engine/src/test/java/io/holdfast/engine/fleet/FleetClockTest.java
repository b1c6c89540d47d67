package io.holdfast.engine.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.localstack.SharedStack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FleetClockTest {

    private static final Instant NOON = Instant.parse("2030-05-17T12:00:00Z");

    private long nanos = 77;
    private Instant database = NOON;
    private boolean away;
    private final Deque<Duration> delays = new ArrayDeque<>();

    /** Both go on. */
    private void passes(Duration time) {
        nanos += time.toNanos();
        database = database.plus(time);
    }

    private Instant answer() throws SQLException {
        if (away) {
            throw new SQLException("away");
        }
        Duration delay = delays.isEmpty() ? Duration.ZERO : delays.pop();
        Duration there = delay.dividedBy(2);
        passes(there);
        Instant said = database;
        passes(delay.minus(there));
        return said;
    }

    private FleetClock clock() throws SQLException {
        return new FleetClock(this::answer, () -> nanos);
    }

    @Test
    void it_goes_on_with_the_monotonic_clock_between_readings() throws SQLException {
        try (FleetClock clock = clock()) {
            assertThat(clock.instant()).isEqualTo(NOON);
            passes(Duration.ofSeconds(3));
            assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3));
        }
    }

    @Test
    void it_follows_the_database_wherever_that_is_set() throws SQLException {
        try (FleetClock clock = clock()) {
            for (Duration step : new Duration[] {Duration.ofHours(1), Duration.ofHours(-2), Duration.ofMillis(3)}) {
                database = database.plus(step);
                clock.readAgain();
                passes(Duration.ofSeconds(1));
                assertThat(clock.instant()).isEqualTo(database);
            }
        }
    }

    @Test
    void the_quickest_of_several_answers_is_taken() throws SQLException {
        delays.add(Duration.ofMillis(80));
        delays.add(Duration.ofMillis(2));
        delays.add(Duration.ofMillis(900));
        try (FleetClock clock = clock()) {
            assertThat(clock.within()).isEqualTo(Duration.ofMillis(1));
            assertThat(clock.instant()).isEqualTo(database);
        }
    }

    @Test
    void answers_that_took_too_long_change_nothing() throws SQLException {
        try (FleetClock clock = clock()) {
            database = database.plusSeconds(60);
            for (int i = 0; i < 3; i++) {
                delays.add(Duration.ofSeconds(1));
            }
            clock.readAgain();
            assertThat(clock.instant()).isEqualTo(database.minusSeconds(60));
        }
    }

    @Test
    void it_goes_on_while_the_database_is_away_and_comes_back_to_it() throws SQLException {
        try (FleetClock clock = clock()) {
            away = true;
            passes(Duration.ofMinutes(5));
            clock.readAgain();
            assertThat(clock.instant()).isEqualTo(database);
            away = false;
            database = database.plusMillis(4);
            clock.readAgain();
            assertThat(clock.instant()).isEqualTo(database);
        }
    }

    @Test
    void it_does_not_begin_without_the_database() {
        away = true;
        assertThatThrownBy(this::clock).isInstanceOf(SQLException.class).hasMessage("away");
    }

    @Test
    void it_says_what_a_real_database_says() throws SQLException {
        var address = SharedStack.postgres();
        var source = new PGSimpleDataSource();
        source.setUrl(address.jdbcUrl());
        source.setUser(address.user());
        source.setPassword(address.password());
        try (FleetClock clock = FleetClock.by(source);
                var connection = DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
                var question = connection.prepareStatement("select clock_timestamp()")) {
            Instant[] said = new Instant[2];
            Instant between = Instant.MIN;
            for (int i = 0; i < said.length; i++) {
                try (var row = question.executeQuery()) {
                    row.next();
                    said[i] = row.getObject(1, OffsetDateTime.class).toInstant();
                }
                between = i == 0 ? clock.instant() : between;
            }
            // The two clocks may drift apart by a little more than the reading was exact.
            Duration slack = clock.within().plusMillis(1);
            assertThat(between).isBetween(said[0].minus(slack), said[1].plus(slack));
        }
    }
}
