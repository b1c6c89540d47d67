package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SharedQuestionTest {

    private final List<CompletableFuture<String>> put = new ArrayList<>();
    private final SharedQuestion<String> question = new SharedQuestion<>(() -> {
        CompletableFuture<String> answer = new CompletableFuture<>();
        put.add(answer);
        return answer;
    });

    private CompletableFuture<String> ask() {
        return question.ask().toCompletableFuture();
    }

    @Test
    void who_asks_while_one_is_on_the_way_is_not_given_its_answer() {
        CompletableFuture<String> first = ask();
        CompletableFuture<String> second = ask();
        CompletableFuture<String> third = ask();
        assertThat(put).hasSize(1);

        put.get(0).complete("one");
        assertThat(first).isCompletedWithValue("one");
        assertThat(second).isNotDone();
        assertThat(put).hasSize(2);
        CompletableFuture<String> fourth = ask();

        put.get(1).complete("two");
        assertThat(second).isCompletedWithValue("two");
        assertThat(third).isCompletedWithValue("two");
        assertThat(fourth).isNotDone();

        put.get(2).complete("three");
        assertThat(fourth).isCompletedWithValue("three");
        assertThat(put).hasSize(3);
        assertThat(ask()).isNotDone();
        assertThat(put).hasSize(4);
    }

    @Test
    void a_question_that_fails_fails_for_those_who_share_it_alone() {
        CompletableFuture<String> first = ask();
        CompletableFuture<String> second = ask();
        put.get(0).completeExceptionally(new IllegalStateException("gone"));
        assertThat(first).isCompletedExceptionally();
        put.get(1).complete("back");
        assertThat(second).isCompletedWithValue("back");
    }

    @Test
    void a_question_that_can_not_even_be_put_fails_and_the_next_is_put_again() {
        List<String> tried = new ArrayList<>();
        SharedQuestion<String> refused = new SharedQuestion<>(() -> {
            tried.add("tried");
            throw new IllegalStateException("closed");
        });
        CompletionStage<String> first = refused.ask();
        CompletionStage<String> second = refused.ask();
        assertThat(first.toCompletableFuture()).isCompletedExceptionally();
        assertThat(second.toCompletableFuture()).isCompletedExceptionally();
        assertThat(tried).hasSize(2);
    }
}
