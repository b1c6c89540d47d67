package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Tells a reservation that its pool is being compared with the journals, or loaded anew from them. What Redis answered to it before is not recorded from then on, so
 * the comparison may count an operation that Redis does not show as not done.
 */
public interface VerificationNotice {

    /**
     * Tells it, and waits until that is journaled. Told again of the same, it journals nothing.
     *
     * @param generation of its effects from now on. A new one for every freeze of the pool in Redis; the same only as long as that Redis process
     *     has kept the pool frozen since the first time.
     * @param loaded the pool that is loaded anew, and its epoch; empty for a comparison
     * @return the reservation after that; Unknown or Unavailable when it could not be told. Never completes exceptionally.
     */
    CompletionStage<Outcome<Reservation>> tell(String reservationId, long generation, Optional<PoolEpoch> loaded);

    /**
     * Ends a hold that a gate let in and that was never handed off, because the pool is loaded anew and others have its units; waits until
     * that is journaled. One that was handed off meanwhile, or has seen another rebuild since, is left as it is.
     *
     * @param generation under which it was told of this rebuild
     * @param total of the pool
     * @param promised units of the pool that others hold or have bought
     * @return the reservation after that; Unknown or Unavailable when it could not be told. Never completes exceptionally.
     */
    CompletionStage<Outcome<Reservation>> admissionLost(
            String reservationId, long generation, long total, long promised);
}
