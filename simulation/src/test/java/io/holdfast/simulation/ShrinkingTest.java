package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.simulation.variant.WrongVariant;
import io.holdfast.simulation.variant.WrongVariants;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A world that fails is shrunk to what it takes, and that is a test. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each world is its own
class ShrinkingTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @ParameterizedTest
    @ValueSource(strings = {"NoFenceOnCancel", "MoneyNotGivenBack"})
    void a_failing_world_is_shrunk_to_a_few_steps_that_fail_by_what_is_done_wrong_and_by_nothing_else(String name) {
        Supplier<WrongVariant> variant = WrongVariants.named(name);
        WorldRun failed = Oracle.of(variant, 1, 100).caught().orElseThrow();

        Shrinking.Shrunk shrunk = Shrinking.of(failed, Optional.of(name), variant, LONG);
        Script script = Script.parse(shrunk.script().lines());

        assertThat(script).isEqualTo(shrunk.script());
        assertThat(shrunk.of()).isEqualTo(failed.decisions().size());
        assertThat(shrunk.fewest()).isTrue();
        assertThat(script.steps()).hasSizeLessThanOrEqualTo(10).hasSizeLessThan(shrunk.of() / 2);
        WorldRun again = script.run();
        assertThat(again.claim()).isEqualTo(failed.claim());
        assertThat(again.leftOut(script)).isEmpty();
        assertThat(script.runRight().told()).isEmpty();
    }

    @Test
    void the_whole_script_of_a_world_is_that_world() {
        WorldRun failed = Oracle.of(WrongVariants.named("NoFenceOnCancel"), 1, 100)
                .caught()
                .orElseThrow();

        WorldRun again = Script.of(failed, Optional.of("NoFenceOnCancel")).run();

        assertThat(again.trace()).isEqualTo(failed.trace());
        assertThat(again.decisions()).isEqualTo(failed.decisions());
    }

    @Test
    void a_world_in_which_nothing_may_happen_is_quiet() {
        WorldRun run = new Script(1, Weather.FLUSHES, Optional.empty(), "None", List.of()).run();

        assertThat(run.told()).isEmpty();
        assertThat(run.decisions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seed 1\nweather FAIR",
                "weather FAIR\nclaim X",
                "seed 1\nweather HAIL\nclaim X",
                "seed 1\nweather FAIR\nclaim X\nstep no-number 2026-03-01T08:00:00Z somebody orders",
                "seed 1\nweather FAIR\nclaim X\nsomething else"
            })
    void what_is_no_script_is_refused(String text) {
        assertThatThrownBy(() -> Script.parse(text.lines().toList())).isInstanceOf(IllegalArgumentException.class);
    }
}
