package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Sends every outcome back with the generation of its effect, so that the machine can tell what was answered before a verification.
 *
 * @param answered the outcome as the machine wants it
 */
record WithGeneration<X extends Effect, C>(EffectPerformer<X, C> performer, BiFunction<X, C, C> answered)
        implements EffectPerformer<X, C> {

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        return performer
                .perform(entityId, effect)
                .thenApply(outcome -> outcome.map(answer -> answered.apply(effect, answer)));
    }
}
