package io.holdfast.lua;

import java.time.Instant;

/**
 * Set a new total. What is held and sold stays; available becomes what is left of the total, and what the total lacks becomes the deficit.
 *
 * @param newTotal units, at least 0
 * @param baselineVersion number of this baseline: greater than the pool's (Init is 1), so that an older one never replaces a newer
 */
public record PoolAdjustRequest(
        String pool, long epoch, String operationId, long newTotal, long baselineVersion, Instant now) {}
