package io.holdfast.simulation.claim;

import io.holdfast.lua.Books;
import io.holdfast.lua.Fence;
import io.holdfast.reconciliation.FenceRule;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.entity.FenceComparison;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.Optional;

/**
 * At rest: every reservation's fence is what its journal says, and each pool's numbers are their sum under the pool's own total. Of a pool that
 * is archived nothing is asked of Redis any more.
 */
public record JournalAgreesWithRedis(
        SimulatedEntities<Reservation, ?, ?, ?> reservations,
        SimulatedEntities<StockPool, ?, ?, ?> pools,
        SimulatedRedis redis)
        implements Invariant {

    @Override
    public void check() {
        pools.entityIds().forEach(this::check);
    }

    /** Of one pool. */
    public void check(String pool) {
        if (pools.journaled(pool).state() instanceof StockPool.Archived) {
            return;
        }
        long reserved = 0;
        long sold = 0;
        for (String id : reservations.entityIds()) {
            Reservation reservation = reservations.journaled(id).state();
            if (reservation
                    .asked()
                    .filter(claim -> claim.pool().value().equals(pool))
                    .isPresent()) {
                var fence = redis.see(pool, Optional.of(id)).fence();
                FenceComparison.Result.Agrees units = agreed(reservation, fence);
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

    /** The units on which journal and Redis agree, as the comparison of a frozen pool sees it; a reconciliation would find nothing either. */
    private static FenceComparison.Result.Agrees agreed(Reservation reservation, Optional<Fence> fence) {
        return switch (FenceComparison.compare(reservation, fence)) {
            case FenceComparison.Result.Agrees agrees -> {
                Judgement judgement = FenceRule.judge(reservation, fence);
                if (!judgement.equals(new Judgement.Agrees(agrees.reserved(), agrees.sold()))) {
                    throw new AssertionError("JournalAgreesWithFence: reconciliation finds at " + reservation.id()
                            + ", with " + agrees + ": " + judgement);
                }
                yield agrees;
            }
            case FenceComparison.Result.Differs(String journal, String found) ->
                throw new AssertionError("JournalAgreesWithFence: " + reservation.id() + ": the journal says " + journal
                        + "; Redis has " + found);
        };
    }
}
