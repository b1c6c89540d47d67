package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.port.PoolReservations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The view of a pool's reservations, read only when it is whole: when it has passed the journal's position of now, has set aside no
 * reservation that may be of the pool, and is not being rebuilt, before it is read and after.
 */
final class WholeView {

    private final PoolReservations reservations;
    private final ProjectionProgress progress;
    private final Duration patience;

    /** @param patience how long the view may take to catch up */
    WholeView(PoolReservations reservations, ProjectionProgress progress, Duration patience) {
        this.reservations = reservations;
        this.progress = progress;
        this.patience = patience;
    }

    /**
     * Reads it as of now or later.
     *
     * @param reading reads what it wants of the view
     * @return what was read; Unavailable when the view is not whole
     */
    <T> CompletionStage<Outcome<T>> read(PoolId pool, Supplier<CompletionStage<Outcome<T>>> reading) {
        return Outcomes.then(
                position(),
                position -> Outcomes.then(
                        hasPassed(pool, position),
                        before -> Outcomes.then(
                                reading.get(),
                                read -> Outcomes.then(
                                        hasPassed(pool, position),
                                        after -> Outcomes.done(
                                                before.rebuilds() == after.rebuilds()
                                                        ? Outcome.known(read)
                                                        : Outcome.unavailable(
                                                                "the view was rebuilt while it was read"))))));
    }

    private CompletionStage<Outcome<JournalPosition>> position() {
        return progress.position()
                .handle((position, failure) -> failure == null
                        ? Outcome.known(position)
                        : Outcome.unavailable("the journal's position could not be read: " + failure));
    }

    private CompletionStage<Outcome<Passage.Passed>> hasPassed(PoolId pool, JournalPosition position) {
        return progress.awaitPassed(position, patience).thenCompose(passage -> switch (passage) {
            case Passage.Passed passed ->
                Outcomes.then(
                        setAside(pool, passed),
                        parked -> Outcomes.done(
                                parked == 0
                                        ? Outcome.known(passed)
                                        : Outcome.unavailable(
                                                parked + " reservations that may be of this pool are set aside by the"
                                                        + " view; it can't be read before that is mended")));
            case Passage.NotYet(var _, String why) ->
                Outcomes.done(Outcome.unavailable("the view has not caught up: " + why));
        });
    }

    private CompletionStage<Outcome<Integer>> setAside(PoolId pool, Passage.Passed passed) {
        List<String> parked = passed.parkedOf(ReservationMachine.NAME);
        return parked.isEmpty() ? Outcomes.done(Outcome.known(0)) : reservations.mayBeOf(pool, parked);
    }
}
