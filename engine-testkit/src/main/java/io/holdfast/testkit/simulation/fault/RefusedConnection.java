package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Nothing is sent; the caller knows. */
record RefusedConnection(World world, double probability) implements Fault {

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        if (!world.mishaps().strike("RefusedConnection", probability)) {
            return call.execute();
        }
        return CompletableFuture.completedFuture(Outcome.unavailable("connection refused"));
    }
}
