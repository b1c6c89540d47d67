package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.List;

/**
 * At rest: the totals of all pools of a sale that is split come to the sale's, so that no move has made a unit or lost one, and none is on its way.
 *
 * @param buckets its pools, the one that speaks for it first; none where no sale is split
 */
public record UnitsAreSomewhere(SimulatedEntities<StockPool, ?, ?, ?> pools, List<PoolId> buckets)
        implements Invariant {

    @Override
    public void check() {
        if (buckets.isEmpty()
                || !(pools.journaled(buckets.getFirst().value()).state() instanceof StockPool.Trusted first)
                // Somebody else was the first to make it, as a pool of one.
                || first.buckets().isEmpty()) {
            return;
        }
        long totals = 0;
        for (PoolId bucket : buckets) {
            if (!(pools.journaled(bucket.value()).state() instanceof StockPool.Trusted trusted)
                    || trusted.work().leaving().isPresent()) {
                throw new AssertionError("UnitsAreSomewhere: of " + first.pool() + ", " + bucket + " is "
                        + pools.journaled(bucket.value()).state());
            }
            totals += trusted.total();
        }
        if (totals != first.saleTotal()) {
            throw new AssertionError("UnitsAreSomewhere: " + first.pool() + " is to have " + first.saleTotal()
                    + " units, and its buckets have " + totals);
        }
    }
}
