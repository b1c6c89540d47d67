package io.holdfast.reservation.domain;

/**
 * A pool, and the epoch it is at or is being loaded for.
 *
 * @param epoch at least 1; every rebuild has one of its own
 */
public record PoolEpoch(PoolId pool, long epoch) {

    /** @throws IllegalArgumentException if the epoch is not 1 to 2^53 - 1 */
    public PoolEpoch {
        Ids.positive("epoch", epoch);
    }
}
