package io.holdfast.simulation.claim;

import io.holdfast.order.domain.Order;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;

/** At rest: what an order has bought its reservation has sold, and what no order wants no reservation holds. */
public record OrdersAgreeWithReservations(
        SimulatedEntities<Order, ?, ?, ?> orders, SimulatedEntities<Reservation, ?, ?, ?> reservations)
        implements Invariant {

    @Override
    public void check() {
        for (String id : orders.entityIds()) {
            Order order = orders.journaled(id).state();
            if (order.unmarked() instanceof Order.Asked) {
                Reservation reservation = reservations.journaled(id).state();
                long bought = OrdersAgreeWithBooks.units(order);
                long promised = NeverOversold.units(reservation);
                if (bought != promised) {
                    throw new AssertionError("OrdersAgreeWithReservations: " + order + " has bought " + bought
                            + ", and " + promised + " are promised by " + reservation);
                }
            }
        }
        for (String id : reservations.entityIds()) {
            Reservation reservation = reservations.journaled(id).state();
            boolean admitted =
                    reservation.asked().flatMap(claim -> claim.admission()).isPresent();
            if (admitted
                    && NeverOversold.units(reservation) > 0
                    && !(orders.journaled(id).state().unmarked() instanceof Order.Asked)) {
                throw new AssertionError("OrdersAgreeWithReservations: nobody has ordered " + reservation);
            }
        }
    }
}
