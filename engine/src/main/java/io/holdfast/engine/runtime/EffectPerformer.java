package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * Performs one attempt of an effect. Never throws and never completes exceptionally for an expected fault: those are
 * {@link Outcome.Unknown} or {@link Outcome.Unavailable}. Must not block the calling thread.
 *
 * @param <X> effects of the machine
 * @param <C> commands of the machine: a known outcome comes back as one
 */
@FunctionalInterface
public interface EffectPerformer<X extends Effect, C> {

    /** One attempt. The supervisor repeats it under the same operation id until the outcome is known. */
    CompletionStage<Outcome<C>> perform(String entityId, X effect);
}
