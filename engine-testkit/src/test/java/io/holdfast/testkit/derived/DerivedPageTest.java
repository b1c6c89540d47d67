package io.holdfast.testkit.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.TicketMachine;
import io.holdfast.testkit.sample.TicketSamples;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DerivedPageTest {

    @Test
    void a_machine_without_a_checked_in_page_fails_and_says_how_to_write_it() {
        DerivedPage page = pageOf(new TicketSamples());
        assertThat(System.getProperty("derived.update")).isNull();
        assertThatThrownBy(page::the_matrix_page_says_what_the_code_does)
                .hasMessageContaining("docs/generated/ticket-matrix.md no longer says what the code does")
                .hasMessageContaining("line 1 reads \"(nothing)\"")
                .hasMessageContaining("-Dderived.update=true");
        assertThatThrownBy(page::the_diagram_page_says_what_the_code_does).hasMessageContaining("ticket-diagram.md");
    }

    @Test
    void a_machine_that_breaks_in_a_cell_fails_and_names_it() {
        DerivedPage page = pageOf(new TicketSamples() {
            @Override
            public TicketMachine machine() {
                return new TicketMachine() {
                    @Override
                    public Decision<Ticket.Event> decide(Ticket state, Ticket.Command command, Instant now) {
                        if (state instanceof Ticket.SoldOut && command instanceof Ticket.Command.Wake) {
                            throw new IllegalStateException("not expected here");
                        }
                        return super.decide(state, command, now);
                    }
                };
            }
        });
        assertThatThrownBy(page::no_command_breaks_the_machine_in_any_state)
                .hasMessage("Wake in SoldOut: IllegalStateException: not expected here");
    }

    private static DerivedPage pageOf(MachineSamples<?, ?, ?, ?> samples) {
        return new DerivedPage() {
            @Override
            protected MachineSamples<?, ?, ?, ?> samples() {
                return samples;
            }
        };
    }
}
