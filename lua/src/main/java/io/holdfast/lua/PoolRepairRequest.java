package io.holdfast.lua;

import java.time.Instant;
import java.util.Optional;

/**
 * Set a pool's numbers, and one fence with them, if neither has moved since they were looked at.
 *
 * @param operationId of the repair
 * @param version of the pool, as it was looked at
 * @param fence the fence to set; empty where only numbers are repaired
 */
public record PoolRepairRequest(
        String pool,
        long epoch,
        String operationId,
        long version,
        long total,
        long deficit,
        long available,
        long reserved,
        long sold,
        Optional<FenceRepair> fence,
        Instant now) {

    /**
     * One fence.
     *
     * @param reservation whose
     * @param seen the fence as it was looked at; empty where Redis had none
     * @param journaled the fence from now on; empty where there must be none
     */
    public record FenceRepair(String reservation, Optional<Fence> seen, Optional<JournaledFence> journaled) {}
}
