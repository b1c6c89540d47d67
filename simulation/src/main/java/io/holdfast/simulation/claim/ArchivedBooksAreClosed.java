package io.holdfast.simulation.claim;

import io.holdfast.engine.entity.Entry;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;

/**
 * At rest: what an archived pool says that it sold is what its reservations had bought when it was. So nothing was under way in it then, nothing has
 * been sold from it since, and what has come back since is in the journals of the reservations alone.
 */
public record ArchivedBooksAreClosed(
        SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations,
        SimulatedEntities<StockPool, ?, ?, ?> pools)
        implements Invariant {

    @Override
    public void check() {
        for (String pool : pools.entityIds()) {
            if (pools.journaled(pool).state() instanceof StockPool.Archived archived) {
                check(pool, archived.books());
            }
        }
    }

    private void check(String pool, Books books) {
        long sold = 0;
        for (String id : reservations.entityIds()) {
            Reservation state = reservations.journaled(id).state();
            if (state.asked().filter(claim -> claim.pool().value().equals(pool)).isPresent()) {
                sold += NeverOversold.units(state) + backSince(id);
            }
        }
        if (books.sold() != sold || books.reserved() != 0) {
            throw new AssertionError("ArchivedBooksAreClosed: " + pool + " was archived with " + books
                    + ", and its reservations had bought " + sold);
        }
    }

    private long backSince(String id) {
        long back = 0;
        for (Entry<ReservationEvent> entry : reservations.journal().read(id)) {
            if (entry instanceof Entry.Happened<ReservationEvent>(ReservationEvent.RefundRecorded(var refund), var _)
                    && refund.restock()) {
                back += refund.quantity();
            }
        }
        return back;
    }
}
