package io.holdfast.testkit.simulation;

import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A projection in virtual time, behind its journal by up to some seconds: catches up now and then, all at once. */
public final class SimulatedProgress implements ProjectionProgress {

    private static final Duration QUICK = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofSeconds(4);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final World world;
    private final LongSupplier journaled;
    private final Runnable catchUp;
    private long position;
    private boolean heldUp;

    /**
     * @param journaled how many events the journal holds
     * @param catchUp has the projection show all of them
     */
    public SimulatedProgress(World world, LongSupplier journaled, Runnable catchUp) {
        this.world = world;
        this.journaled = journaled;
        this.catchUp = catchUp;
    }

    /** Begins to follow. Once. */
    public void follow() {
        if (!heldUp) {
            position = journaled.getAsLong();
            catchUp.run();
        }
        world.timeline().after(world.chance().between(QUICK, SLOW), "", this::follow);
    }

    /** It comes no further from now on. */
    public void holdUp() {
        heldUp = true;
    }

    /** It goes on. */
    public void letGo() {
        heldUp = false;
    }

    @Override
    public CompletionStage<JournalPosition> position() {
        return CompletableFuture.completedFuture(new JournalPosition(journaled.getAsLong()));
    }

    @Override
    public CompletionStage<Passage> awaitPassed(JournalPosition wanted, Duration patience) {
        CompletableFuture<Passage> passage = new CompletableFuture<>();
        await(wanted, world.timeline().now().plus(patience), passage);
        return passage;
    }

    private void await(JournalPosition wanted, Instant until, CompletableFuture<Passage> passage) {
        if (position >= wanted.xid()) {
            passage.complete(new Passage.Passed(List.of(), 0));
        } else if (world.timeline().now().isAfter(until)) {
            passage.complete(new Passage.NotYet(new JournalPosition(position), "the simulated view lags"));
        } else {
            world.timeline().after(LOOK_AGAIN, "", () -> await(wanted, until, passage));
        }
    }
}
