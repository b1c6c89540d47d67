package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import java.util.concurrent.CompletionStage;

/** Brings admitted holds to their reservations. */
@FunctionalInterface
public interface Adoptions {

    /**
     * Hands one over. However often it is, the reservation takes it once.
     *
     * @return the reservation once its journal has the hold; never completes exceptionally
     */
    CompletionStage<Outcome<Reservation>> adopt(Adopt adopt);
}
