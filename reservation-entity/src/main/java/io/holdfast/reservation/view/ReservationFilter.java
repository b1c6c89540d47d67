package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;

/** Which reservations to list; every present part must hold. */
public record ReservationFilter(
        Optional<String> orderId, Optional<String> userId, Optional<PoolId> pool, Optional<Reservation.Status> status) {

    /** All of them. */
    public static ReservationFilter none() {
        return new ReservationFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
