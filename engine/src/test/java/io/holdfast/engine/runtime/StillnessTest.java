package io.holdfast.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StillnessTest {

    private static final long SECOND = 1_000_000_000L;

    private final Stillness stillness = new Stillness(Duration.ofSeconds(4), Duration.ofSeconds(7), 0);

    private void aliveUntil(long second) {
        for (long at = 0; at <= second; at++) {
            stillness.alive(at * SECOND);
        }
    }

    @Test
    void a_node_that_goes_on_is_never_in_doubt() {
        aliveUntil(100);
        assertThat(stillness.inDoubt(100 * SECOND)).isFalse();
        assertThat(stillness.inDoubt(103 * SECOND))
                .as("a pause in which nobody is replaced")
                .isFalse();
        stillness.alive(104 * SECOND);
        assertThat(stillness.inDoubt(104 * SECOND)).isFalse();
    }

    @Test
    void one_that_stood_still_is_in_doubt_before_anybody_has_noted_that_it_goes_on() {
        aliveUntil(10);
        assertThat(stillness.inDoubt(15 * SECOND)).isTrue();
    }

    @Test
    void it_stays_in_doubt_until_it_must_have_heard_that_it_was_replaced() {
        aliveUntil(10);
        stillness.alive(20 * SECOND);
        for (long second = 20; second < 27; second++) {
            stillness.alive(second * SECOND);
            assertThat(stillness.inDoubt(second * SECOND)).as("at %s", second).isTrue();
        }
        stillness.alive(27 * SECOND);
        assertThat(stillness.inDoubt(27 * SECOND)).isFalse();
    }

    @Test
    void times_may_be_of_any_sign_and_wrap_around() {
        var late = new Stillness(Duration.ofSeconds(4), Duration.ofSeconds(7), Long.MAX_VALUE - SECOND);
        late.alive(Long.MIN_VALUE + SECOND);
        assertThat(late.inDoubt(Long.MIN_VALUE + SECOND)).isFalse();
        assertThat(late.inDoubt(Long.MIN_VALUE + 6 * SECOND)).isTrue();
    }
}
