package io.holdfast.reservation.entity;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limit of questions in flight, for all who ask. Whoever comes when it is reached waits in line. */
final class InFlight {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final AtomicInteger turns = new AtomicInteger();
    private int free;

    /** @param limit questions in flight at once */
    InFlight(int limit) {
        this.free = limit;
    }

    /** Asks when there is room. */
    <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (waiting) {
            waiting.add(() -> begin(question, answer));
        }
        drain();
        return answer;
    }

    private <T> void begin(Supplier<CompletionStage<T>> question, CompletableFuture<T> answer) {
        asked(question).whenComplete((value, error) -> {
            synchronized (waiting) {
                free++;
            }
            if (error == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(error);
            }
            drain();
        });
    }

    private static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** In a loop of one thread at a time, not from within the answer before: a long line that is answered at once would end the stack. */
    private void drain() {
        if (turns.getAndIncrement() != 0) {
            return;
        }
        do {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        } while (turns.decrementAndGet() != 0);
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            if (free == 0 || waiting.isEmpty()) {
                return null;
            }
            free--;
            return waiting.remove();
        }
    }
}
