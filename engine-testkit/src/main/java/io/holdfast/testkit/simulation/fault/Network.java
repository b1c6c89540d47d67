package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** No fault, only distance: a call and its reply each take a moment, so that others come between them. */
record Network(World world) implements Fault {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(30);

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        CompletableFuture<Outcome<T>> arrived = new CompletableFuture<>();
        world.timeline()
                .after(
                        hop(),
                        () -> "call " + what,
                        () -> call.execute()
                                .whenComplete((outcome, _) -> world.timeline()
                                        .after(
                                                hop(),
                                                () -> "reply to " + what + ": " + outcome,
                                                () -> arrived.complete(outcome))));
        return arrived;
    }

    private Duration hop() {
        return world.chance().between(SHORTEST, LONGEST);
    }
}
