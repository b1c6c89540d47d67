package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Small tools of the faults. */
final class Attempt {

    private Attempt() {}

    /** An answer that is there. */
    static <C> CompletionStage<Outcome<C>> answered(Outcome<C> outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    /** Executes and forgets the answer. */
    static <X extends Effect, C> void execute(EffectPerformer<X, C> inner, String entityId, X effect) {
        var forgotten = inner.perform(entityId, effect);
        if (forgotten.toCompletableFuture().isCompletedExceptionally()) {
            throw new AssertionError("a performer must not fail exceptionally: " + effect.operationId());
        }
    }
}
