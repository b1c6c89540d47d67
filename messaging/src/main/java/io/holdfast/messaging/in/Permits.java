package io.holdfast.messaging.in;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** At most so many tasks at a time; the others wait, in order. Safe for use by many threads. */
public final class Permits {

    private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private int free;

    /** @param permits tasks at a time, at least 1 */
    public Permits(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits must be at least 1, but are " + permits);
        }
        this.free = permits;
    }

    /** Starts the task when one may start, and lets the next one start when it has ended. */
    public <T> CompletionStage<T> run(Supplier<? extends CompletionStage<T>> task) {
        return acquire().thenCompose(_ -> {
            CompletionStage<T> running;
            try {
                running = task.get();
            } catch (RuntimeException | Error e) {
                running = CompletableFuture.failedFuture(e);
            }
            return running.whenComplete((_, _) -> release());
        });
    }

    private CompletionStage<Void> acquire() {
        synchronized (waiting) {
            if (free > 0) {
                free--;
                return CompletableFuture.completedFuture(null);
            }
            var turn = new CompletableFuture<Void>();
            waiting.add(turn);
            return turn;
        }
    }

    private void release() {
        CompletableFuture<Void> next;
        synchronized (waiting) {
            next = waiting.poll();
            if (next == null) {
                free++;
                return;
            }
        }
        next.complete(null);
    }
}
