package io.holdfast.lua;

import java.time.Instant;

/**
 * Raise a pool's epoch and begin to load it anew, whatever is stored of it, or nothing.
 *
 * @param epoch the rebuild's: greater than every one the pool was served under
 * @param operationId of this attempt; chunks and opening must name it
 */
public record PoolRebuildBeginRequest(String pool, long epoch, String operationId, Instant now) {}
