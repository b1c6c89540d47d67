package io.holdfast.lua;

import java.time.Instant;

/**
 * Create a pool, OPEN, with everything available, at version 1.
 *
 * @param epoch the pool's first, at least 1
 * @param operationId of the Init
 * @param total units, at least 0; this is baseline version 1
 */
public record PoolInitRequest(String pool, long epoch, String operationId, long total, Instant now) {}
