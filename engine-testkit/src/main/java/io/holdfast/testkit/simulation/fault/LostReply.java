package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The request is executed and its reply is lost: either the connection tells so, or nothing ever comes. */
public record LostReply<X extends Effect, C>(EffectPerformer<X, C> inner, World world, double probability)
        implements EffectPerformer<X, C> {

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        if (!world.mishaps().strike("LostReply", probability)) {
            return inner.perform(entityId, effect);
        }
        Attempt.execute(inner, entityId, effect);
        return world.chance().strikes(0.5) ? Attempt.answered(Outcome.unknown("the reply was lost")) : new CompletableFuture<>();
    }
}
