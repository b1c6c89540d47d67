package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.Reservation;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.List;
import java.util.function.Predicate;

/**
 * At rest, when every order's fate was told: every reservation has ended, or a person looks at it.
 *
 * @param except reservations that can't end
 */
public record EveryHoldEnds(SimulatedEntities<Reservation, ?, ?, ?> reservations, Predicate<Reservation> except)
        implements Invariant {

    @Override
    public boolean holds() {
        return reservations.entityIds().stream()
                .map(id -> reservations.journaled(id).state())
                .allMatch(state -> ended(state) || except.test(state));
    }

    @Override
    public void check() {
        List<String> open = reservations.entityIds().stream()
                .filter(id -> !ended(reservations.journaled(id).state()))
                .filter(id -> !except.test(reservations.journaled(id).state()))
                .map(id -> id + " is " + reservations.journaled(id).state())
                .toList();
        if (!open.isEmpty()) {
            throw new AssertionError("EveryHoldEnds: " + String.join("; ", open));
        }
    }

    static boolean ended(Reservation state) {
        return switch (state) {
            case Reservation.Confirmed _,
                    Reservation.Canceled _,
                    Reservation.Refunded _,
                    Reservation.Rejected _,
                    Reservation.UnderReview _ -> true;
            case Reservation.None _,
                    Reservation.Preparing _,
                    Reservation.Reserved _,
                    Reservation.CreatedReserved _,
                    Reservation.Confirming _,
                    Reservation.Canceling _,
                    Reservation.Refunding _ -> false;
        };
    }
}
