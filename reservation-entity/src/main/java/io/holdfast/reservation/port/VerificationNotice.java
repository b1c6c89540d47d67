package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Reservation;
import java.util.concurrent.CompletionStage;

/**
 * Tells a reservation that its pool is being compared with the journals. What Redis answered to it before is not recorded from then on, so
 * the comparison may count an operation that Redis does not show as not done.
 */
@FunctionalInterface
public interface VerificationNotice {

    /**
     * Tells it, and waits until that is journaled.
     *
     * @param verification number of the comparison
     * @return the reservation after that; Unknown or Unavailable when it could not be told. Never completes exceptionally.
     */
    CompletionStage<Outcome<Reservation>> tell(String reservationId, long verification);
}
