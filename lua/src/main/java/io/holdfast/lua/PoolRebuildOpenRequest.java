package io.holdfast.lua;

import java.time.Instant;
import java.util.Optional;

/**
 * Open a pool that was loaded anew.
 *
 * @param operationId of the attempt that began
 * @param chunks how many were loaded
 * @param fences how many were in them
 * @param fencedSold units that the confirmed ones among them have left; what else is sold has no fence any more
 * @param version of the numbers, at least 1
 * @param reserved what the reserved fences have left
 * @param baselineVersion of the total
 * @param restore status from here on: OPEN, PAUSED, CLOSED or ARCHIVED
 * @param sale what its gate keeps to; empty for a pool without one
 */
public record PoolRebuildOpenRequest(
        String pool,
        long epoch,
        String operationId,
        long chunks,
        long fences,
        long fencedSold,
        long version,
        long total,
        long deficit,
        long available,
        long reserved,
        long sold,
        long baselineVersion,
        PoolStatus restore,
        Optional<Sale> sale,
        Instant now) {}
