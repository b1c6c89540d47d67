package io.holdfast.reservation.port;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Lets time pass without holding a thread. */
@FunctionalInterface
public interface Pause {

    /** Completes after this time, and never exceptionally. */
    CompletionStage<Void> of(Duration time);

    /** By this machine's clock. */
    static Pause real() {
        return time -> CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS));
    }
}
