package io.holdfast.testkit.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.journal.JournalCodec;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The golden journal of the sample machine, held against an encoding that changed without saying so. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class GoldenJournalFindsChangesTest {

    /** Like the sample machine's events, but one component renamed, one kind gone and one new. */
    sealed interface Changed {
        record BuyStarted(int units, Instant returnBy) implements Changed {}

        record Bought() implements Changed {}

        record Lost() implements Changed {}
    }

    private final GoldenJournal<Changed> golden = new GoldenJournal<>() {
        @Override
        protected String machine() {
            return "ticket";
        }

        @Override
        protected Class<Changed> eventType() {
            return Changed.class;
        }

        @Override
        protected JournalCodec<Changed> codec() {
            return JournalCodec.of(Changed.class);
        }

        @Override
        protected List<Changed> examples() {
            return List.of(new Changed.Bought());
        }
    };

    @Test
    void a_kind_without_example_or_file_is_named() {
        assertThatThrownBy(golden::every_kind_of_event_has_an_example_and_a_file_of_this_version)
                .hasMessageContaining("no example of BuyStarted")
                .hasMessageContaining("no example of Lost");
    }

    @Test
    void a_file_that_can_no_longer_be_read_is_named() {
        assertThatThrownBy(golden::every_file_of_every_version_is_read_as_the_event_it_was)
                .hasMessageContaining("BuyStarted.json can't be read any more")
                .hasMessageContaining("ReturnDone.json can't be read any more");
    }

    @Test
    void the_sound_one_passes_beside_it() {
        var sound = new TicketGoldenJournalTest();
        assertThat(sound.examples()).isNotEmpty();
        assertThatCode(() -> {
                    sound.every_kind_of_event_has_an_example_and_a_file_of_this_version();
                    sound.every_file_of_every_version_is_read_as_the_event_it_was();
                    sound.every_file_of_this_version_is_written_again_as_it_is();
                    sound.a_field_that_this_version_does_not_know_is_passed_over();
                })
                .doesNotThrowAnyException();
    }
}
