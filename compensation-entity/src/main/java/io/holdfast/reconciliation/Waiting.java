package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How the one thread of reconciliation waits. */
final class Waiting {

    private Waiting() {}

    /** The answer, or that none came in time. */
    static <T> Outcome<T> answer(CompletionStage<Outcome<T>> stage, Duration longest) {
        try {
            return stage.toCompletableFuture().get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Outcome.unknown("no answer within " + longest);
        } catch (ExecutionException e) {
            return Outcome.unknown("asking failed: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotCompare("this node stops");
        }
    }

    static void pause(Duration length) {
        try {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotCompare("this node stops");
        }
    }
}
