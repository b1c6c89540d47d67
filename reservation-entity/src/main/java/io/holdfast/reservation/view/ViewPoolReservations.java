package io.holdfast.reservation.view;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.journal.UnreadableEntry;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.port.Loadable;
import io.holdfast.reservation.port.PoolReservations;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The reservations of a pool, read from {@code reservation_view} on threads that may wait. */
public final class ViewPoolReservations implements PoolReservations {

    private final ReservationQueries queries;
    private final Executor blocking;

    /** @param blocking threads that may wait for the database */
    public ViewPoolReservations(ReservationQueries queries, Executor blocking) {
        this.queries = queries;
        this.blocking = blocking;
    }

    @Override
    public CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit) {
        return read(() -> queries.ofPool(pool, after, limit));
    }

    @Override
    public CompletionStage<Outcome<List<Loadable>>> loadable(PoolId pool, Optional<String> after, int limit) {
        return read(() -> queries.loadable(pool, after, limit));
    }

    @Override
    public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
        return read(() -> reservationIds.size() - queries.shownElsewhere(pool, reservationIds));
    }

    private interface Query<T> {
        T read() throws SQLException;
    }

    private <T> CompletionStage<Outcome<T>> read(Query<T> query) {
        try {
            return CompletableFuture.supplyAsync(() -> outcome(query), blocking);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(
                    Outcome.unavailable("too many queries wait: " + full.getMessage()));
        }
    }

    private static <T> Outcome<T> outcome(Query<T> query) {
        try {
            return Outcome.known(query.read());
        } catch (SQLException e) {
            return Outcome.unavailable("reservation_view could not be read: " + e.getMessage());
        } catch (UnreadableEntry e) {
            return Outcome.unavailable("reservation_view holds a state of another version: " + e.getMessage());
        }
    }
}
