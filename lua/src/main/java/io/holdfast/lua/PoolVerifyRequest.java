package io.holdfast.lua;

import java.time.Instant;

/**
 * Compare a frozen pool with what the journals say and, where equal, trust the Redis process that answers.
 *
 * @param epoch expected
 * @param operationId of the freeze ({@link PoolStatusRequest} to SUSPECT) after which the pool was compared; one for each attempt
 * @param version as the freeze found it
 * @param restore status the pool gets when equal: OPEN, PAUSED, CLOSED or ARCHIVED
 */
public record PoolVerifyRequest(
        String pool,
        long epoch,
        String operationId,
        long version,
        long total,
        long deficit,
        long available,
        long reserved,
        long sold,
        PoolStatus restore,
        Instant now) {}
