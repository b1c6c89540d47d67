package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FaultPlanTest {

    private static final Distribution OWN = Distribution.own("own");

    /** All that need no node to be made. */
    private static final List<FaultKind> KINDS =
            Stream.of(FaultKind.values()).filter(kind -> kind != FaultKind.ROLL).toList();

    /** Nobody is disturbed here. */
    private static final List<Member> NODES = Arrays.asList(null, null, null);

    private static List<String> kinds(long seed, int faults) {
        var plan = new FaultPlan(new SplittableRandom(seed), KINDS, OWN);
        List<String> kinds = new ArrayList<>();
        while (kinds.size() < faults) {
            kinds.add(plan.next(NODES).kind());
            if (kinds.size() < faults) {
                plan.beside(NODES).ifPresent(fault -> {
                    assertThat(fault.alone()).as(fault.kind()).isFalse();
                    kinds.add(fault.kind());
                });
            }
        }
        return kinds;
    }

    @Test
    void every_kind_comes_once_before_one_comes_again() {
        for (long seed = 0; seed < 50; seed++) {
            assertThat(kinds(seed, KINDS.size())).as("seed %s", seed).doesNotHaveDuplicates();
        }
    }

    @Test
    void the_same_seed_is_the_same_plan_and_another_is_another() {
        assertThat(kinds(7, 40)).isEqualTo(kinds(7, 40)).isNotEqualTo(kinds(8, 40));
    }
}
