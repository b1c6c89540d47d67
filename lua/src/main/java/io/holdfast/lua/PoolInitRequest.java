package io.holdfast.lua;

import java.time.Instant;
import java.util.Optional;

/**
 * Create a pool, OPEN, with everything available, at version 1.
 *
 * @param epoch the pool's first, at least 1
 * @param operationId of the Init
 * @param total units, at least 0; this is baseline version 1
 * @param sale what its gate keeps to; empty for a pool without one
 */
public record PoolInitRequest(
        String pool, long epoch, String operationId, long total, Optional<Sale> sale, Instant now) {

    /** Of a pool without a gate. */
    public PoolInitRequest(String pool, long epoch, String operationId, long total, Instant now) {
        this(pool, epoch, operationId, total, Optional.empty(), now);
    }
}
