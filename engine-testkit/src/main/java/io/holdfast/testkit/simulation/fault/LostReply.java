package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The call is executed and its reply is lost: either the connection tells so, or nothing ever comes. */
record LostReply(World world, double probability) implements Fault {

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        if (!world.mishaps().strike("LostReply", probability)) {
            return call.execute();
        }
        call.executeUnheard();
        return world.chance().strikes(0.5)
                ? CompletableFuture.completedFuture(Outcome.unknown("the reply was lost"))
                : new CompletableFuture<>();
    }
}
