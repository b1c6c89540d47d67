package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.PoolId;
import java.time.Instant;
import java.util.Optional;

/**
 * Which rows of a pool's ledger to list; every present part must hold.
 *
 * @param pool whose
 * @param from written at this time or later
 * @param to written before
 * @param reservationId of this reservation
 */
public record LedgerFilter(PoolId pool, Optional<Instant> from, Optional<Instant> to, Optional<String> reservationId) {

    /** All of them. */
    public static LedgerFilter all(PoolId pool) {
        return new LedgerFilter(pool, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
