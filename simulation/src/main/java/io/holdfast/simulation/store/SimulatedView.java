package io.holdfast.simulation.store;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.EntityVerificationNotice;
import io.holdfast.reservation.model.ShownReservations;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.VerificationNotice;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.SimulatedJournal.Place;
import io.holdfast.testkit.simulation.SimulatedProgress;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The view of reservations, behind the journal by up to some seconds; and the way to the reservations themselves. */
public final class SimulatedView implements PoolReservations, ProjectionProgress, VerificationNotice {

    private final World world;
    private final ShownReservations shown = new ShownReservations();
    private @Nullable SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations;
    private final SimulatedProgress progress;
    private int showing;
    private long highest;
    private boolean byNumbersAlone;

    /** Of a world. */
    public SimulatedView(World world) {
        this.world = world;
        this.progress =
                new SimulatedProgress(world, () -> reservations().journal().size(), this::catchUp);
    }

    @Override
    public CompletionStage<Outcome<Reservation>> tell(
            String reservationId, long generation, Optional<PoolEpoch> loaded) {
        return new EntityVerificationNotice(reservations()).tell(reservationId, generation, loaded);
    }

    @Override
    public CompletionStage<Outcome<Reservation>> admissionLost(
            String reservationId, long generation, long total, long promised) {
        return new EntityVerificationNotice(reservations()).admissionLost(reservationId, generation, total, promised);
    }

    /** Begins to follow the journal of the reservations. */
    public void follow(SimulatedEntities<Reservation, ReservationCommand, ?, ?> journaled) {
        follow(journaled, false);
    }

    /**
     * Begins to follow the journal of the reservations.
     *
     * @param numbersAlone whether it takes the highest number it has seen for where it has come to, as it must not
     */
    public void follow(SimulatedEntities<Reservation, ReservationCommand, ?, ?> journaled, boolean numbersAlone) {
        reservations = journaled;
        byNumbersAlone = numbersAlone;
        progress.follow();
    }

    private SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations() {
        return Objects.requireNonNull(reservations, "follows nothing yet");
    }

    private void catchUp() {
        var journal = reservations().journal();
        List<Place> written = journal.places().subList(showing, journal.size());
        written.stream()
                .filter(place -> !byNumbersAlone || place.ordering() > highest)
                .map(Place::entityId)
                .distinct()
                .forEach(id -> shown.show(reservations().journaled(id).state()));
        highest = written.stream().mapToLong(Place::ordering).reduce(highest, Math::max);
        showing = journal.size();
    }

    /** Lets the time of this world pass. */
    public CompletionStage<Void> pause(Duration time) {
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
        return progress.position();
    }

    @Override
    public CompletionStage<Passage> awaitPassed(JournalPosition wanted, Duration patience) {
        return progress.awaitPassed(wanted, patience);
    }

    @Override
    public CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit) {
        return shown.page(pool, after, limit);
    }
}
