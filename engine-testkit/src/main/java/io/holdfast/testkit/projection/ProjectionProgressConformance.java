package io.holdfast.testkit.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What is promised of how far a projection has come. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class ProjectionProgressConformance {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);

    /** The port under test, of a projection that runs. */
    protected abstract ProjectionProgress progress();

    /** Journals one more event. */
    protected abstract void journal() throws Exception;

    /** How many events the projection shows now. */
    protected abstract int shown() throws Exception;

    /** The projection comes no further from now on. */
    protected abstract void holdUp() throws Exception;

    /** It goes on. */
    protected abstract void letGo() throws Exception;

    /** Lets time pass until this is complete. */
    protected abstract <T> T await(CompletionStage<T> stage);

    private JournalPosition now() {
        return await(progress().position());
    }

    private Passage passage(JournalPosition position, Duration patience) {
        return await(progress().awaitPassed(position, patience));
    }

    private void assertPassed(JournalPosition position) {
        assertThat(passage(position, LONG)).isInstanceOf(Passage.Passed.class);
    }

    @Test
    void whatever_was_journaled_before_a_position_is_shown_once_it_has_passed() throws Exception {
        for (int n = 1; n <= 10; n++) {
            journal();
            assertPassed(now());
            assertThat(shown()).isEqualTo(n);
        }
    }

    @Test
    void it_passes_now_also_when_nothing_was_journaled_since() throws Exception {
        journal();
        assertPassed(now());
        assertPassed(now());
        assertPassed(now());
        assertThat(shown()).isEqualTo(1);
    }

    @Test
    void held_up_it_has_not_passed_when_patience_ends_and_says_how_far_it_has_come() throws Exception {
        journal();
        JournalPosition before = now();
        assertPassed(before);
        holdUp();
        journal();
        JournalPosition after = now();
        assertThat(passage(after, SHORT)).isInstanceOfSatisfying(Passage.NotYet.class, notYet -> {
            assertThat(notYet.reached()).isGreaterThanOrEqualTo(before).isLessThan(after);
            assertThat(notYet.why()).isNotBlank();
        });
        assertThat(shown()).isEqualTo(1);
        letGo();
        assertPassed(after);
        assertThat(shown()).isEqualTo(2);
    }

    @Test
    void held_up_it_still_has_passed_what_it_passed() throws Exception {
        journal();
        JournalPosition before = now();
        assertPassed(before);
        holdUp();
        journal();
        assertPassed(before);
        assertThat(shown()).isEqualTo(1);
        letGo();
    }

    @Test
    void all_who_wait_at_once_are_answered_each_for_its_own_position() throws Exception {
        journal();
        assertPassed(now());
        holdUp();
        List<CompletionStage<Passage>> waiting = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            journal();
            waiting.add(progress().awaitPassed(now(), LONG));
        }
        CompletionStage<Passage> impatient = progress().awaitPassed(now(), SHORT);
        assertThat(await(impatient)).isInstanceOf(Passage.NotYet.class);
        letGo();
        for (CompletionStage<Passage> each : waiting) {
            assertThat(await(each)).isInstanceOf(Passage.Passed.class);
        }
        assertThat(shown()).isEqualTo(6);
    }

    @Test
    void one_that_is_not_rebuilt_meanwhile_is_the_same_at_every_passage() throws Exception {
        journal();
        Passage first = passage(now(), LONG);
        journal();
        assertThat(passage(now(), LONG)).isEqualTo(first).isInstanceOf(Passage.Passed.class);
        assertThat(shown()).isEqualTo(2);
    }
}
