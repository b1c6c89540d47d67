package io.holdfast.testkit.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.testkit.simulation.SimulatedProgress;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;

/** The simulation's projections keep the contract. */
class SimulatedProgressTest extends ProjectionProgressConformance {

    private final World world = World.of(7);
    private int journaled;
    private int shown;
    private final SimulatedProgress progress = new SimulatedProgress(world, () -> journaled, () -> shown = journaled);

    @BeforeEach
    void begin() {
        progress.follow();
    }

    @Override
    protected ProjectionProgress progress() {
        return progress;
    }

    @Override
    protected void journal() {
        journaled++;
    }

    @Override
    protected int shown() {
        return shown;
    }

    @Override
    protected void holdUp() {
        progress.holdUp();
    }

    @Override
    protected void letGo() {
        progress.letGo();
    }

    @Override
    protected <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        while (!answer.isDone()) {
            assertThat(world.timeline().step())
                    .as("something that can still happen")
                    .isTrue();
        }
        return answer.join();
    }
}
