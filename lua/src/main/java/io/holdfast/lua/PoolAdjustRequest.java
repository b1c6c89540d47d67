package io.holdfast.lua;

import java.time.Instant;

/**
 * Set a new total. What is held and sold stays; available becomes what is left of the total, and what the total lacks becomes the deficit.
 *
 * @param newTotal units, at least 0
 * @param baselineVersion number of this baseline: greater than the pool's (Init is 1), so that an older one never replaces a newer
 * @param bound which totals are taken
 */
public record PoolAdjustRequest(
        String pool, long epoch, String operationId, long newTotal, long baselineVersion, Bound bound, Instant now) {

    /** Which totals are taken. */
    public enum Bound {
        /** Any, of a pool that is open or paused. */
        ANY,
        /** Of such a pool one that takes away only what is available. */
        FIT,
        /** The same, for another pool. What became of an earlier move is not kept any more. */
        OUT,
        /** What was taken from another pool comes in, to a pool that is closed as well. Likewise. */
        IN
    }

    /** Whatever the total. */
    public PoolAdjustRequest(
            String pool, long epoch, String operationId, long newTotal, long baselineVersion, Instant now) {
        this(pool, epoch, operationId, newTotal, baselineVersion, Bound.ANY, now);
    }
}
