package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.Reservation;
import io.holdfast.simulation.store.Told;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * At rest: whoever was told to be in has a reservation with a past. A claim that only Redis had may be lost with it, and no other.
 *
 * @param told by the gate
 * @param losses of Redis so far
 */
public record NothingAdmittedIsLost(
        Supplier<List<Told>> told, IntSupplier losses, SimulatedEntities<Reservation, ?, ?, ?> reservations)
        implements Invariant {

    @Override
    public void check() {
        for (Told each : told.get()) {
            boolean mayBeGone = !each.journaled() && losses.getAsInt() > 0;
            if (!mayBeGone && reservations.journaled(each.reservation()).sequenceNumber() == 0) {
                throw new AssertionError("NothingAdmittedIsLost: " + each + " has no journal");
            }
        }
    }
}
