package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.variant.WrongVariant;
import io.holdfast.simulation.variant.WrongVariants;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Weather;
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
    private static final int RIGHT_WORLDS = 3;

    @SuppressWarnings("unused") // By its name below.
    private static final List<Supplier<WrongVariant>> CATALOGUE = WrongVariants.all();

    @SuppressWarnings("unused") // By its name below.
    private static final List<Supplier<WrongVariant>> ADDING = CATALOGUE.stream()
            .filter(variant -> variant.get().addsToItsWorlds())
            .toList();

    @ParameterizedTest
    @FieldSource("CATALOGUE")
    void what_is_done_wrong_is_noticed(Supplier<WrongVariant> variant) {
        Oracle.Trial trial = Oracle.of(variant, 1, WORLDS);

        assertThat(trial.caught()).as(trial.name()).isPresent();
    }

    /** Else it could be the workload that is noticed. */
    @ParameterizedTest
    @FieldSource("ADDING")
    void what_happens_in_its_worlds_is_borne_where_nothing_is_done_wrong(Supplier<WrongVariant> variant) {
        List<Weather> weathers = variant.get().weathers();
        for (int i = 0; i < RIGHT_WORLDS; i++) {
            WorldRun right = WorldRun.of(
                    i + 1,
                    weathers.get(i % weathers.size()),
                    () -> variant.get().withoutItsFault(),
                    Coverage.none());

            assertThat(right.told()).isEmpty();
        }
    }
}
