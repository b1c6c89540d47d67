package io.holdfast.lua;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Compare a pool with what the journals say and, where equal, trust the Redis process that answers.
 *
 * @param epoch expected
 * @param version expected, where the journals know it
 * @param restore status the pool gets when equal: OPEN, PAUSED, CLOSED or ARCHIVED
 */
public record PoolVerifyRequest(
        String pool,
        long epoch,
        String operationId,
        OptionalLong version,
        long total,
        long deficit,
        long available,
        long reserved,
        long sold,
        PoolStatus restore,
        Instant now) {}
