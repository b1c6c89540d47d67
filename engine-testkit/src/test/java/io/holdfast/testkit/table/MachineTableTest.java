package io.holdfast.testkit.table;

import static io.holdfast.testkit.sample.TicketSamples.LATER;
import static io.holdfast.testkit.sample.TicketSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.Ticket.No;
import io.holdfast.testkit.sample.TicketMachine;
import io.holdfast.testkit.sample.TicketSamples;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MachineTableTest {

    private static final Event STARTED = new Event.BuyStarted(2, LATER);
    private static final Command BUY = new Command.Buy(2, LATER);

    private final MatrixCoverage<Ticket, Command> cells = MatrixCoverage.of(new TicketSamples());
    private final MachineTable<Ticket, Command, Event, Call> table =
            MachineTable.of(new TicketMachine(), "t-1").recordingIn(cells);

    @Test
    void a_row_that_is_true_passes() {
        table.given()
                .when(BUY, NOW)
                .then(STARTED)
                .thenState(new Ticket.Buying("t-1", 2, LATER, false))
                .owes(new Call.BuyCall("t-1", 2))
                .verdict(Verdict.pending());
        table.given(STARTED, new Event.Bought()).when(BUY, NOW).thenRepeat().wakesAt(LATER);
        table.given()
                .when(new Command.GiveBack(), NOW)
                .thenRefused(No.NEVER_BOUGHT)
                .owesNothing();
    }

    @Test
    void every_false_claim_fails_and_shows_machine_command_and_history() {
        var row = table.given(STARTED).when(new Command.BuyAnswered(true), NOW);
        assertThatThrownBy(() -> row.then(new Event.WasSoldOut()))
                .hasMessageContaining("decision of ticket t-1")
                .hasMessageContaining("command:  BuyAnswered[sold=true]")
                .hasMessageContaining("+ BuyStarted[quantity=2")
                .hasMessageContaining("= Buying[id=t-1");
        assertThatThrownBy(row::thenRepeat).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> row.thenRefused(No.SOLD_OUT)).isInstanceOf(AssertionError.class);
        var then = row.then(new Event.Bought());
        assertThatThrownBy(() -> then.thenState(new Ticket.Free("t-1"))).hasMessageContaining("state after");
        assertThatThrownBy(() -> then.owes(new Call.BuyCall("t-1", 2))).hasMessageContaining("owed effects");
        assertThatThrownBy(then::owesNothing).hasMessageContaining("debt");
        assertThatThrownBy(() -> then.wakesAt(NOW)).hasMessageContaining("wake-up");
        assertThatThrownBy(() -> then.verdict(Verdict.pending())).hasMessageContaining("verdict");
    }

    @Test
    void a_cell_counts_once_its_decision_was_checked_and_not_before() {
        var row = table.given().when(BUY, NOW);
        assertThat(cells.missed()).hasSize(6 * 6).contains("Buy in Free");
        row.then(STARTED);
        assertThat(cells.missed()).hasSize(6 * 6 - 1).doesNotContain("Buy in Free");
        assertThatThrownBy(cells::everyCellWasChecked)
                .hasMessageStartingWith("35 cells of the matrix of ticket are not in the table: GiveBack in Free");
    }

    @Test
    void a_complete_table_passes_the_final_check() {
        var samples = new TicketSamples();
        samples.states()
                .forEach(state -> samples.commands().forEach(command -> cells.checked(state.value(), command.value())));
        cells.everyCellWasChecked();
    }
}
