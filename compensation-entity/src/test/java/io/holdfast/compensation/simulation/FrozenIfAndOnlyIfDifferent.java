package io.holdfast.compensation.simulation;

import io.holdfast.reservation.domain.StockPool;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;

/**
 * A pool that lost something in Redis stays frozen; one that lost nothing does not. One that nobody has touched since is not frozen yet, and
 * Redis would not serve it.
 */
record FrozenIfAndOnlyIfDifferent(
        SimulatedEntities<StockPool, ?, ?, ?> pools, SimulatedRedis redis, JournalAgreesWithRedis agreement)
        implements Invariant {

    @Override
    public void check() {
        for (String pool : pools.entityIds()) {
            boolean frozen = pools.journaled(pool).state() instanceof StockPool.Suspect;
            String difference = difference(pool);
            if (frozen && difference.isEmpty()) {
                throw new AssertionError("FrozenIfAndOnlyIfDifferent: " + pool + " is frozen, but nothing differs");
            }
            if (redis.serves(pool) && !difference.isEmpty()) {
                throw new AssertionError("FrozenIfAndOnlyIfDifferent: " + pool + " serves, but " + difference);
            }
        }
    }

    private String difference(String pool) {
        try {
            agreement.check(pool);
            return "";
        } catch (AssertionError different) {
            return String.valueOf(different.getMessage());
        }
    }
}
