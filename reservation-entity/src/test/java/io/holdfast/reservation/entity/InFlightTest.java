package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class InFlightTest {

    private final InFlight limit = new InFlight(2);
    private final List<CompletableFuture<String>> asked = new ArrayList<>();

    private CompletionStage<String> question() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    @Test
    void no_more_than_the_limit_are_asked_at_once_and_the_rest_in_their_turn() {
        List<CompletionStage<String>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(limit.ask(this::question));
        }
        for (int answered = 0; answered < 5; answered++) {
            assertThat(asked).hasSize(Math.min(5, answered + 2));
            asked.get(answered).complete("answer " + answered);
            assertThat(answers.get(answered)).isCompletedWithValue("answer " + answered);
        }
    }

    @Test
    void a_question_that_fails_or_throws_makes_room_all_the_same() {
        for (int i = 0; i < 5; i++) {
            var thrown = limit.<String>ask(() -> {
                throw new IllegalStateException("no");
            });
            assertThatThrownBy(() -> thrown.toCompletableFuture().join()).hasRootCauseMessage("no");
            var failed = limit.ask(this::question);
            asked.removeFirst().completeExceptionally(new IllegalStateException("no"));
            assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
        }
    }

    @Test
    void a_long_line_that_is_answered_at_once_does_not_end_the_stack() {
        limit.ask(this::question);
        limit.ask(this::question);
        List<CompletionStage<String>> line = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            line.add(limit.ask(() -> CompletableFuture.completedFuture("now")));
        }
        asked.getFirst().complete("done");
        assertThat(line).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("now"));
    }
}
