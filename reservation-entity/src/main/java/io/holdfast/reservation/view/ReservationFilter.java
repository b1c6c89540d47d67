package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;
import java.util.Set;

/**
 * Which reservations to list; every present part must hold.
 *
 * @param merchants of one of these merchants or activities
 */
public record ReservationFilter(
        Optional<String> orderId,
        Optional<String> userId,
        Optional<PoolId> pool,
        Optional<Reservation.Status> status,
        Optional<Set<String>> merchants) {

    /** Of whichever merchant. */
    public ReservationFilter(
            Optional<String> orderId,
            Optional<String> userId,
            Optional<PoolId> pool,
            Optional<Reservation.Status> status) {
        this(orderId, userId, pool, status, Optional.empty());
    }

    /** All of them. */
    public static ReservationFilter none() {
        return new ReservationFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
