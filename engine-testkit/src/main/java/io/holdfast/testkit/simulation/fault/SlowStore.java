package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The request is executed at once, and its reply takes longer than the caller may want to wait. */
public record SlowStore<X extends Effect, C>(EffectPerformer<X, C> inner, World world, double probability)
        implements EffectPerformer<X, C> {

    private static final Duration LATEST = Duration.ofSeconds(20);

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        if (!world.mishaps().strike("SlowStore", probability)) {
            return inner.perform(entityId, effect);
        }
        CompletableFuture<Outcome<C>> slow = new CompletableFuture<>();
        var outcome = inner.perform(entityId, effect);
        world.timeline()
                .after(
                        world.chance().between(Duration.ofMillis(100), LATEST),
                        "slow reply to " + effect.operationId(),
                        () -> outcome.whenComplete((answer, _) -> slow.complete(answer)));
        return slow;
    }
}
