package io.holdfast.engine.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.RetryPolicy.AfterLimit;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BackoffTest {

    private static final Backoff PLAIN = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2, 0);
    private static final Backoff JITTERED = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2, 0.2);

    @ParameterizedTest
    @CsvSource({"1,100", "2,200", "3,400", "6,3200", "7,5000", "1000,5000", "2147483647,5000"})
    void the_wait_grows_by_the_factor_up_to_the_longest(int failed, long millis) {
        assertThat(PLAIN.delayAfter(failed, 0.99)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0,90", "0.5,100", "0.999999,110"})
    void jitter_moves_the_wait_to_both_sides(double random, long millis) {
        assertThat(JITTERED.delayAfter(1, random)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.5, 0.999999})
    void the_wait_is_never_longer_than_the_longest_nor_shorter_than_a_millisecond(double random) {
        assertThat(JITTERED.longestDelay(random)).isBetween(Duration.ofMillis(4500), Duration.ofSeconds(5));
        assertThat(new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 1, 1).delayAfter(1, random))
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void a_constant_wait_stays_constant_and_its_longest_is_still_the_longest() {
        var constant = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(9), 1, 0);
        assertThat(constant.delayAfter(50, 0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(constant.longestDelay(0)).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void values_that_make_no_sense_are_refused() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, second, 2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, Duration.ofMillis(1), 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, second, 0.5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, second, Double.NaN, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, second, 1, 1.5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetryPolicy(Duration.ZERO, PLAIN, 1, AfterLimit.RECORD_AND_PARK))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetryPolicy(second, PLAIN, 0, AfterLimit.RECORD_AND_PARK))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
