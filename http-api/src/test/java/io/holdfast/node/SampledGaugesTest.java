package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SampledGaugesTest {

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void what_was_not_read_is_no_number() {
        try (var gauges = new SampledGauges<Integer>(registry, "test", AT_ONCE, () -> 3)) {
            gauges.gauge("units", "units", Integer::doubleValue);

            assertThat(value()).isNaN();
        }
    }

    @Test
    void what_can_no_longer_be_read_is_no_old_number() throws Exception {
        var readings = new Exchanger<Integer>();
        var asked = new Exchanger<String>();
        try (var gauges = new SampledGauges<Integer>(registry, "test", AT_ONCE, () -> next(asked, readings))) {
            gauges.gauge("units", "units", Integer::doubleValue).start();

            give(asked, readings, 3);
            await(asked);
            assertThat(value()).isEqualTo(3);

            readings.exchange(-1, 10, TimeUnit.SECONDS);
            await(asked);
            assertThat(value()).isNaN();

            readings.exchange(5, 10, TimeUnit.SECONDS);
            await(asked);
            assertThat(value()).isEqualTo(5);
        }
    }

    @Test
    void nothing_is_read_after_the_end() throws Exception {
        var first = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var gauges = new SampledGauges<Integer>(registry, "test", AT_ONCE, () -> {
            first.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return 1;
        });
        gauges.start();
        assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();

        gauges.close();

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"PT10S, PT0.001S, PT10S", "PT10S, PT0.1S, PT10S", "PT10S, PT0.5S, PT50S", "PT10S, PT30S, PT1M"})
    void a_reading_that_takes_long_is_repeated_the_later(Duration every, Duration took, Duration pause) {
        assertThat(SampledGauges.pause(every, took)).isEqualTo(pause);
    }

    private double value() {
        return registry.get("units").gauge().value();
    }

    private static void give(Exchanger<String> asked, Exchanger<Integer> readings, int number) throws Exception {
        await(asked);
        readings.exchange(number, 10, TimeUnit.SECONDS);
    }

    private static void await(Exchanger<String> asked) throws Exception {
        asked.exchange("", 10, TimeUnit.SECONDS);
    }

    /** Says that it is asked, and gives what it is told; less than nothing is a database that does not answer. */
    private static int next(Exchanger<String> asked, Exchanger<Integer> readings) throws SQLException {
        try {
            asked.exchange("", 10, TimeUnit.SECONDS);
            int number = readings.exchange(0, 10, TimeUnit.SECONDS);
            if (number < 0) {
                throw new SQLException("no answer");
            }
            return number;
        } catch (InterruptedException | TimeoutException e) {
            throw new SQLException(e);
        }
    }
}
