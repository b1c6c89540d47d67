package io.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StabilityTest {

    private static final Stability THREE_WINDOWS = new Stability(3, 0.05);

    @Test
    void too_few_windows_are_never_stable() {
        assertThat(THREE_WINDOWS.reached(List.of())).isFalse();
        assertThat(reached(100, 100, 100, 100, 100)).isFalse();
        assertThat(reached(100, 100, 100, 100, 100, 100)).isTrue();
    }

    @Test
    void a_rate_that_still_rises_is_not_stable() {
        assertThat(reached(100, 110, 120, 130, 140, 150)).isFalse();
    }

    @Test
    void one_slow_window_decides_nothing() {
        assertThat(reached(100, 100, 100, 100, 90, 103)).isTrue();
    }

    @Test
    void a_rate_that_falls_is_not_stable_either() {
        assertThat(reached(100, 100, 100, 90, 90, 90)).isFalse();
    }

    @Test
    void only_the_latest_windows_count() {
        assertThat(reached(10, 20, 30, 100, 100, 100, 101, 100, 99)).isTrue();
    }

    @Test
    void a_load_that_does_nothing_is_not_stable() {
        assertThat(reached(0, 0, 0, 0, 0, 0)).isFalse();
    }

    private static boolean reached(double... rates) {
        return THREE_WINDOWS.reached(
                new ArrayList<>(DoubleStream.of(rates).boxed().toList()));
    }
}
