package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletionStage;

/** Nothing is sent; the caller knows. */
public record RefusedConnection<X extends Effect, C>(EffectPerformer<X, C> inner, World world, double probability)
        implements EffectPerformer<X, C> {

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        if (!world.mishaps().strike("RefusedConnection", probability)) {
            return inner.perform(entityId, effect);
        }
        return Attempt.answered(Outcome.unavailable("connection refused"));
    }
}
