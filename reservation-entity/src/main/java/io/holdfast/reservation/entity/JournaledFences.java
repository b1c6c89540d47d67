package io.holdfast.reservation.entity;

import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;

/** Fences as the journals have them. */
public final class JournaledFences {

    private JournaledFences() {}

    /** The fence of a reservation whose journal is all that counts, as a rebuild would load it; empty where it needs none. */
    public static Optional<FenceRepair.Target> of(Reservation reservation) {
        return LoadedReservation.of(reservation).target(reservation);
    }
}
