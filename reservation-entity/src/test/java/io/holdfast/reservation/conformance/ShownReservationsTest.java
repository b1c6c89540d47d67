package io.holdfast.reservation.conformance;

import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.model.ShownReservations;
import io.holdfast.reservation.port.PoolReservations;

/** The simulation's reservations keep the contract. */
class ShownReservationsTest extends PoolReservationsConformance {

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final ShownReservations shown = new ShownReservations();

    @Override
    void journaled(String id, ReservationEvent... events) {
        Reservation state = machine.initial(id);
        for (ReservationEvent event : events) {
            state = machine.evolve(state, event);
        }
        shown.show(state);
    }

    @Override
    PoolReservations reservations() {
        return shown;
    }
}
