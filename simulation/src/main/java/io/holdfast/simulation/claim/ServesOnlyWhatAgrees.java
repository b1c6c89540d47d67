package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.StockPool;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;

/**
 * At rest no pool is frozen, whatever Redis lost, and what Redis would serve is what the journals say. A pool that nobody has touched since
 * a loss may be as that left it, and Redis would not serve it.
 */
public record ServesOnlyWhatAgrees(
        SimulatedEntities<StockPool, ?, ?, ?> pools, SimulatedRedis redis, JournalAgreesWithRedis agreement)
        implements Invariant {

    @Override
    public void check() {
        for (String pool : pools.entityIds()) {
            StockPool state = pools.journaled(pool).state();
            switch (state) {
                case StockPool.Suspect _, StockPool.Rebuilding _ ->
                    throw new AssertionError("ServesOnlyWhatAgrees: " + pool + " does not come back: " + state);
                case StockPool.New _, StockPool.Trusted _, StockPool.Archived _ -> {}
            }
            if (redis.serves(pool)) {
                agreement.check(pool);
            }
        }
    }
}
