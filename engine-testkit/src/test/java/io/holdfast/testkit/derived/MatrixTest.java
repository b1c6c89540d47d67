package io.holdfast.testkit.derived;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Cell;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Diagram;
import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.machine.MatrixPage;
import io.holdfast.engine.machine.Sample;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.TicketMachine;
import io.holdfast.testkit.sample.TicketSamples;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MatrixTest {

    private final Matrix matrix = Matrix.of(new TicketSamples());

    @Test
    void there_is_one_cell_for_every_state_sample_and_command_sample() {
        assertThat(matrix.cells()).hasSize(8 * 7);
        assertThat(matrix.states()).containsExactly("Free", "Buying", "Held", "SoldOut", "Returning", "Returned");
        assertThat(matrix.initial()).isEqualTo("Free");
    }

    @Test
    void a_command_that_leads_on_gives_the_path_and_the_answer() {
        assertThat(cell("Buying (return noted)", "BuyAnswered (sold)"))
                .isEqualTo(new Cell.Result.Moves(
                        List.of("Bought", "ReturnStarted"), List.of("Held", "Returning"), Verdict.done()));
    }

    @Test
    void a_fact_that_is_journaled_in_place_is_noted() {
        assertThat(cell("Buying", "GiveBack"))
                .isEqualTo(new Cell.Result.Noted(List.of("ReturnNoted"), Verdict.pending()));
    }

    @Test
    void repeats_and_refusals_are_told_apart() {
        assertThat(cell("SoldOut", "Buy")).isEqualTo(new Cell.Result.Repeats(Verdict.refused(Ticket.No.SOLD_OUT)));
        assertThat(cell("Free", "GiveBack")).isEqualTo(new Cell.Result.Refuses("NEVER_BOUGHT", List.of()));
    }

    @Test
    void variants_of_a_state_differ_where_the_machine_looks_at_them() {
        assertThat(cell("Held", "Wake")).isInstanceOf(Cell.Result.Repeats.class);
        assertThat(cell("Held (time over)", "Wake")).isInstanceOf(Cell.Result.Moves.class);
    }

    @Test
    void states_that_nothing_moves_on_and_that_owe_nothing_are_final() {
        assertThat(matrix.finalStates()).containsExactly("SoldOut", "Returned");
    }

    @Test
    void a_machine_that_fails_is_shown_and_not_thrown() {
        var breaking = new TicketSamples() {
            @Override
            public TicketMachine machine() {
                return new TicketMachine() {
                    @Override
                    public Decision<Ticket.Event> decide(Ticket state, Ticket.Command command, Instant now) {
                        throw new IllegalStateException("no such thing");
                    }
                };
            }
        };
        assertThat(Matrix.of(breaking).cells())
                .allSatisfy(cell -> assertThat(cell.result())
                        .isEqualTo(new Cell.Result.Breaks("IllegalStateException: no such thing")));
    }

    @Test
    void a_kind_without_a_sample_is_named() {
        var incomplete = new TicketSamples() {
            @Override
            public List<Sample<Ticket>> states() {
                return super.states().subList(0, 7);
            }

            @Override
            public List<Sample<Ticket.Command>> commands() {
                return super.commands().subList(1, 7);
            }
        };
        assertThat(new TicketSamples().unsampled()).isEmpty();
        assertThat(incomplete.unsampled()).containsExactly("state Returned", "command Buy");
    }

    @Test
    void the_page_and_the_diagram_show_moves_debts_and_ends() {
        assertThat(MatrixPage.markdown(matrix))
                .contains("| BuyAnswered (sold) | **Held** → **Returning** | Bought, ReturnStarted | done |")
                .contains("*repeat*<br>**Returning**")
                .contains("Owes `buy`.")
                .doesNotContain("BREAKS");
        assertThat(Diagram.mermaid(matrix))
                .contains("    [*] --> Free\n")
                .contains("    Buying : owes buy\n")
                .contains("    Held --> Returning : GiveBack, Wake\n")
                .contains("    Returned --> [*]\n");
    }

    private Cell.Result cell(String state, String command) {
        return matrix.cells().stream()
                .filter(cell ->
                        cell.stateSample().equals(state) && cell.commandSample().equals(command))
                .findFirst()
                .orElseThrow()
                .result();
    }
}
