package io.holdfast.testkit.derived;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.TicketMachine;
import io.holdfast.testkit.sample.TicketSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DerivedPageTest {

    private boolean updating;

    @TempDir
    private Path folder;

    @Test
    void a_page_that_is_missing_fails_and_says_how_to_write_it() {
        DerivedPage page = pageOf(new TicketSamples());
        assertThatThrownBy(page::the_matrix_page_says_what_the_code_does)
                .hasMessageContaining("ticket-matrix.md no longer says what the code does")
                .hasMessageContaining("line 1 reads \"(nothing)\"")
                .hasMessageContaining("-Dderived.update=true");
        assertThatThrownBy(page::the_diagram_page_says_what_the_code_does).hasMessageContaining("ticket-diagram.md");
    }

    @Test
    void a_page_once_written_passes_until_it_or_the_code_changes() throws IOException {
        DerivedPage page = pageOf(new TicketSamples());
        updating = true;
        page.the_matrix_page_says_what_the_code_does();
        updating = false;
        page.the_matrix_page_says_what_the_code_does();

        Path file = folder.resolve("ticket-matrix.md");
        Files.writeString(file, Files.readString(file).replace("| Buy | **Buying** |", "| Buy | **Held** |"));
        assertThatThrownBy(page::the_matrix_page_says_what_the_code_does)
                .hasMessageContaining("reads \"| Buy | **Held** |")
                .hasMessageContaining("the code says \"| Buy | **Buying** |");
    }

    @Test
    void a_sample_that_is_missing_fails_and_is_named() {
        DerivedPage page = pageOf(new TicketSamples() {
            @Override
            public List<Sample<Ticket>> states() {
                return super.states().subList(1, 8);
            }
        });
        assertThatThrownBy(page::every_kind_of_state_and_command_is_sampled).hasMessage("no sample of state Free");
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

    private DerivedPage pageOf(MachineSamples<?, ?, ?, ?> samples) {
        return new DerivedPage() {
            @Override
            protected MachineSamples<?, ?, ?, ?> samples() {
                return samples;
            }

            @Override
            Path folder() {
                return folder;
            }

            @Override
            boolean updating() {
                return updating;
            }
        };
    }
}
