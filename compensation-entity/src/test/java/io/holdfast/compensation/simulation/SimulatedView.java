package io.holdfast.compensation.simulation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.reservation.conformance.ShownReservations;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.EntityVerificationNotice;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.VerificationNotice;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The view of reservations, behind the journal by up to some seconds; and the way to the reservations themselves. */
final class SimulatedView implements PoolReservations, ProjectionProgress, VerificationNotice {

    private static final Duration QUICK = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofSeconds(4);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final World world;
    private final ShownReservations shown = new ShownReservations();
    private @Nullable SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations;
    private long position;

    SimulatedView(World world) {
        this.world = world;
    }

    @Override
    public CompletionStage<Outcome<Reservation>> tell(String reservationId, long generation) {
        return new EntityVerificationNotice(reservations()).tell(reservationId, generation);
    }

    /** Begins to follow the journal of the reservations. */
    void follow(SimulatedEntities<Reservation, ReservationCommand, ?, ?> journaled) {
        reservations = journaled;
        catchUp();
    }

    private SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations() {
        return Objects.requireNonNull(reservations, "follows nothing yet");
    }

    private void catchUp() {
        position = reservations().journal().size();
        reservations()
                .entityIds()
                .forEach(id -> shown.show(reservations().journaled(id).state()));
        world.timeline().after(world.chance().between(QUICK, SLOW), "", this::catchUp);
    }

    /** Lets the time of this world pass. */
    CompletionStage<Void> pause(Duration time) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        world.timeline().after(time, "", () -> over.complete(null));
        return over;
    }

    @Override
    public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
        return shown.mayBeOf(pool, reservationIds);
    }

    @Override
    public CompletionStage<JournalPosition> position() {
        return CompletableFuture.completedFuture(
                new JournalPosition(reservations().journal().size()));
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

    @Override
    public CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit) {
        return shown.page(pool, after, limit);
    }
}
