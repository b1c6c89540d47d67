package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The caller gives up; the call is executed later, perhaps after its own retry was answered. */
record LateExecution(World world, double probability) implements Fault {

    private static final Duration LATEST = Duration.ofSeconds(20);

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        if (!world.mishaps().strike("LateExecution", probability)) {
            return call.execute();
        }
        Duration late = world.chance().between(Duration.ofMillis(1), LATEST);
        world.timeline().after(late, () -> "late execution of " + what, call::executeUnheard);
        return CompletableFuture.completedFuture(Outcome.unknown("timed out before it was executed"));
    }
}
