package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The reservations of a pool as journaled, for comparing them with Redis and for loading them anew. */
public interface PoolReservations {

    /**
     * The next of them, in an order that stays: each is met once, whatever becomes of it meanwhile.
     *
     * @param after the last one seen; empty to begin
     * @param limit how many at most
     * @return Unavailable when they can't be read; fewer than {@code limit} are the last
     */
    CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit);

    /**
     * The same page, as far as loading the pool anew needs it.
     *
     * @param after the last one seen; empty to begin
     * @param limit how many at most
     * @return Unavailable when they can't be read; fewer than {@code limit} are the last
     */
    default CompletionStage<Outcome<List<Loadable>>> loadable(PoolId pool, Optional<String> after, int limit) {
        return page(pool, after, limit)
                .thenApply(outcome ->
                        outcome.map(page -> page.stream().map(Loadable::of).toList()));
    }

    /**
     * How many of these may be of the pool: all but those that are shown in another one. A reservation keeps its pool for ever, so what is
     * shown of it, however old, is enough to say so.
     *
     * @return Unavailable when they can't be read
     */
    CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds);
}
