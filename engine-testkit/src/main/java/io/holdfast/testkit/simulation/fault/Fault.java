package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/** Stands between a caller and a port. Named by its class. */
interface Fault {

    /**
     * Lets a call pass, or strikes.
     *
     * @param what the call; printed where there is a trace
     * @param call executes it; may be run later, twice or never
     */
    <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call);

    /** A call that has not been made yet. */
    @FunctionalInterface
    interface Call<T> {

        /** Makes it. */
        CompletionStage<Outcome<T>> execute();

        /** Makes it; nobody hears of the answer. */
        default void executeUnheard() {
            if (execute().toCompletableFuture().isCompletedExceptionally()) {
                throw new AssertionError("a port must not fail exceptionally");
            }
        }
    }
}
