package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The call is executed at once, and its reply takes longer than the caller may want to wait. */
record SlowStore(World world, double probability) implements Fault {

    private static final Duration LATEST = Duration.ofSeconds(20);

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        if (!world.mishaps().strike("SlowStore", probability)) {
            return call.execute();
        }
        CompletableFuture<Outcome<T>> slow = new CompletableFuture<>();
        CompletionStage<Outcome<T>> reply = call.execute();
        Duration late = world.chance().between(Duration.ofMillis(100), LATEST);
        world.timeline()
                .after(
                        late,
                        () -> "slow reply to " + what,
                        () -> reply.whenComplete((outcome, _) -> slow.complete(outcome)));
        return slow;
    }
}
