package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** No fault, only distance: a request and its reply each take a moment, so that others come between them. */
public record Network<X extends Effect, C>(EffectPerformer<X, C> inner, World world)
        implements EffectPerformer<X, C> {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(30);

    @Override
    public CompletionStage<Outcome<C>> perform(String entityId, X effect) {
        CompletableFuture<Outcome<C>> reply = new CompletableFuture<>();
        world.timeline()
                .after(
                        world.chance().between(SHORTEST, LONGEST),
                        "request " + effect.operationId(),
                        () -> inner.perform(entityId, effect).whenComplete((answer, _) -> world.timeline()
                                .after(
                                        world.chance().between(SHORTEST, LONGEST),
                                        "reply to " + effect.operationId(),
                                        () -> reply.complete(answer))));
        return reply;
    }
}
