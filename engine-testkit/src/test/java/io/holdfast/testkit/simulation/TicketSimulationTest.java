package io.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.sample.TicketMachine;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The kit on a sound machine: every fault strikes, every claim holds, and a seed is a whole run. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TicketSimulationTest {

    @Test
    void a_sound_machine_over_a_sound_shop_holds_every_claim_through_every_fault() {
        var struck = Seeds.each(60, seed -> TicketSale.of(seed, new TicketMachine(), TicketSale.shop()));
        if (Long.getLong("sim.seed") == null) {
            assertThat(struck)
                    .containsOnlyKeys(
                            "ClockJump",
                            "CrashAfterPersist",
                            "CrashBeforePersist",
                            "DoubleInstance",
                            "DuplicateExecution",
                            "DuplicateRequest",
                            "LateExecution",
                            "LostAnswer",
                            "LostReply",
                            "LostRequest",
                            "NodeCrash",
                            "RefusedConnection",
                            "SlowJournal",
                            "SlowStore");
        }
    }

    @Test
    void the_same_seed_gives_the_same_run_and_another_seed_another() {
        assertThat(trace(7)).isEqualTo(trace(7)).isNotEqualTo(trace(8));
    }

    private static String trace(long seed) {
        var prepared = TicketSale.of(seed, new TicketMachine(), TicketSale.shop());
        return prepared.run().get() + "\n" + prepared.simulation().trace();
    }
}
