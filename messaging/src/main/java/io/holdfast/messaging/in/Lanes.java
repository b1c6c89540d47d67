package io.holdfast.messaging.in;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Tasks of one key run one after the other, in the order they were given; those of different keys at once. Once a task has failed, those
 * waiting behind it fail too, without being run. Safe for use by many threads.
 */
public final class Lanes {

    private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    /** Runs the task when those given before under its key have ended. */
    public <T> CompletionStage<T> run(String key, Supplier<? extends CompletionStage<T>> task) {
        var ended = new CompletableFuture<T>();
        CompletableFuture<?> before = last.put(key, ended);
        ended.whenComplete((_, _) -> last.remove(key, ended));
        CompletionStage<?> ready = before == null ? CompletableFuture.completedFuture(null) : before;
        ready.thenCompose(_ -> task.get()).whenComplete((value, failure) -> {
            if (failure == null) {
                ended.complete(value);
            } else {
                ended.completeExceptionally(failure);
            }
        });
        return ended;
    }

    /** Keys with a task that has not ended. */
    public int busy() {
        return last.size();
    }
}
