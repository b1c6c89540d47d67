package io.holdfast.lua.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question that many ask at once, and whose answer must not be older than their asking. One is on the way at a time; all who ask
 * meanwhile share the next, which is put when that one is answered.
 */
final class SharedQuestion<T> {

    private final Supplier<CompletionStage<T>> question;
    private boolean onTheWay;
    private @Nullable CompletableFuture<T> next;

    /** @param question puts it once; the stage, or the call, may fail */
    SharedQuestion(Supplier<CompletionStage<T>> question) {
        this.question = question;
    }

    /** An answer to a question that is put after this call began. */
    CompletionStage<T> ask() {
        synchronized (this) {
            if (onTheWay) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            onTheWay = true;
        }
        CompletableFuture<T> asked = new CompletableFuture<>();
        put(asked);
        return asked;
    }

    private void put(CompletableFuture<T> asked) {
        CompletionStage<T> answer;
        try {
            answer = question.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((value, error) -> {
            CompletableFuture<T> following;
            synchronized (this) {
                following = next;
                next = null;
                onTheWay = following != null;
            }
            if (following != null) {
                put(following);
            }
            if (error == null) {
                asked.complete(value);
            } else {
                asked.completeExceptionally(error);
            }
        });
    }
}
