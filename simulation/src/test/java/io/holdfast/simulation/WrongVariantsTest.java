package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.variant.WrongVariant;
import io.holdfast.simulation.variant.WrongVariants;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The claims are tried by faults that are put into the world: each must be noticed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each world is its own
class WrongVariantsTest {

    private static final int WORLDS = 100;

    @SuppressWarnings("unused") // By its name below.
    private static final List<Supplier<WrongVariant>> CATALOGUE = WrongVariants.all();

    @ParameterizedTest
    @FieldSource("CATALOGUE")
    void what_is_done_wrong_is_noticed(Supplier<WrongVariant> variant) {
        Oracle.Trial trial = Oracle.of(variant, 1, WORLDS);

        assertThat(trial.caught()).as(trial.name()).isPresent();
    }
}
