package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The caller gives up; the request is executed later, perhaps after its own retry was answered. */
public record LateExecution<X extends Effect, C>(EffectPerformer<X, C> inner, World world, double probability)
        implements EffectPerformer<X, C> {

    private static final Duration LATEST = Duration.ofSeconds(20);

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        if (!world.mishaps().strike("LateExecution", probability)) {
            return inner.perform(entityId, effect);
        }
        world.timeline()
                .after(
                        world.chance().between(Duration.ofMillis(1), LATEST),
                        "late execution of " + effect.operationId(),
                        () -> Attempt.execute(inner, entityId, effect));
        return Attempt.answered(Outcome.unknown("timed out before it was executed"));
    }
}
