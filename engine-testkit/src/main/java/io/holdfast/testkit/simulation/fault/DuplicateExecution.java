package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The call is executed, and once more later; the first answer is given. */
record DuplicateExecution(World world, double probability) implements Fault {

    private static final Duration LATEST = Duration.ofSeconds(20);

    @Override
    public <T> CompletionStage<Outcome<T>> pass(Object what, Call<T> call) {
        if (!world.mishaps().strike("DuplicateExecution", probability)) {
            return call.execute();
        }
        Duration later = world.chance().between(Duration.ofMillis(1), LATEST);
        world.timeline().after(later, () -> "second execution of " + what, call::executeUnheard);
        return call.execute();
    }
}
