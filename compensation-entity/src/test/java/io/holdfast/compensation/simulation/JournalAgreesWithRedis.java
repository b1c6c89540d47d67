package io.holdfast.compensation.simulation;

import io.holdfast.lua.Books;
import io.holdfast.reconciliation.ReconciledFences;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.entity.Fences;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.Optional;

/** At rest: every reservation's fence is what its journal says, and each pool's numbers are their sum under the pool's own total. */
record JournalAgreesWithRedis(
        SimulatedEntities<Reservation, ?, ?, ?> reservations,
        SimulatedEntities<StockPool, ?, ?, ?> pools,
        SimulatedRedis redis)
        implements Invariant {

    @Override
    public void check() {
        pools.entityIds().forEach(this::check);
    }

    void check(String pool) {
        long reserved = 0;
        long sold = 0;
        for (String id : reservations.entityIds()) {
            Reservation reservation = reservations.journaled(id).state();
            if (reservation
                    .asked()
                    .filter(claim -> claim.pool().value().equals(pool))
                    .isPresent()) {
                var fence = redis.see(pool, Optional.of(id)).fence();
                Fences.Units units = Fences.agreed(reservation, fence);
                ReconciledFences.agree(reservation, fence, units.reserved(), units.sold());
                reserved += units.reserved();
                sold += units.sold();
            }
        }
        Books books = redis.books(pool);
        long total = pools.journaled(pool).state().totals().orElseThrow().total();
        long promised = reserved + sold;
        Books expected = new Books(
                books.epoch(),
                books.version(),
                total,
                Math.max(0, promised - total),
                Math.max(0, total - promised),
                reserved,
                sold);
        if (!books.equals(expected)) {
            throw new AssertionError(
                    "JournalAgreesWithRedis: " + pool + " should have " + expected + " and has " + books);
        }
    }
}
