package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import io.holdfast.engine.journal.jdbc.Outcomes.Outcome;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class WriteTest {

    private static final long LAST_START = 100;
    private static final long DEADLINE = 150;

    private final Write write = new Write(Rows.rows("p", 4, 5, "w"), Outcomes.nothingRejected(), LAST_START, DEADLINE);

    private Outcome outcome() {
        return Outcomes.of(write.future());
    }

    @Test
    void one_that_waited_too_long_to_be_begun_is_not_written_and_is_never_sent_afterwards() {
        assertThat(write.endIfOverdue(LAST_START)).isNull();
        assertThat(write.endIfOverdue(LAST_START + 1)).isEqualTo(Certainty.NOT_WRITTEN);

        assertThat(write.send()).isFalse();
        assertThat(outcome()).isEqualTo(Outcome.NOT_WRITTEN);
    }

    @Test
    void one_on_its_way_has_until_its_deadline_and_is_then_unknown() {
        assertThat(write.send()).isTrue();
        assertThat(write.endIfOverdue(DEADLINE)).isNull();
        assertThat(write.endIfOverdue(DEADLINE + 1)).isEqualTo(Certainty.UNKNOWN);

        write.stored();
        assertThat(outcome()).as("told once").isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void one_that_was_refused_is_not_written_when_its_time_is_over() {
        write.send();
        write.refused();

        assertThat(write.endIfOverdue(LAST_START + 1)).isEqualTo(Certainty.NOT_WRITTEN);
    }

    @Test
    void one_that_was_lost_stays_in_doubt_also_when_it_is_refused_later() {
        write.send();
        write.lost();
        write.send();
        write.refused();

        assertThat(write.failed("the time is over", null)).isEqualTo(Certainty.UNKNOWN);
    }

    @Test
    void one_whose_place_is_taken_is_not_written_whatever_was_lost() {
        write.send();
        write.lost();

        write.taken(null);

        assertThat(Outcomes.failure(write.future()))
                .hasMessageContaining("another writer was first: p has other rows from number 4");
        assertThat(outcome()).isEqualTo(Outcome.NOT_WRITTEN);
    }

    @Test
    void times_compare_also_when_the_clock_of_the_machine_has_run_over() {
        var late = new Write(
                List.of(Rows.row("p", 1, "w")), Outcomes.nothingRejected(), Long.MIN_VALUE + 5, Long.MIN_VALUE + 9);

        assertThat(late.mayBegin(Long.MAX_VALUE)).isTrue();
        assertThat(late.endIfOverdue(Long.MIN_VALUE + 6)).isEqualTo(Certainty.NOT_WRITTEN);
    }

    @Test
    void followers_are_later_writes_of_the_same_life_only() {
        assertThat(write.isFollowedBy(other("p", 6, "w"))).isTrue();
        assertThat(write.isFollowedBy(other("p", 3, "w"))).isFalse();
        assertThat(write.isFollowedBy(other("p", 6, "another life"))).isFalse();
        assertThat(write.isFollowedBy(other("q", 6, "w"))).isFalse();
        assertThat(write.isFollowedBy(write)).isFalse();
    }

    private static Write other(String id, long number, String writer) {
        return new Write(List.of(Rows.row(id, number, writer)), Outcomes.nothingRejected(), LAST_START, DEADLINE);
    }
}
