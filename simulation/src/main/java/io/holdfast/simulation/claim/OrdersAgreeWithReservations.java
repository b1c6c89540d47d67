package io.holdfast.simulation.claim;

import io.holdfast.order.domain.Order;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * At rest: what an order has bought its reservation has sold, and what no order wants no reservation holds.
 *
 * @param ofSales whether the holds of a pool are of orders, by its id
 */
public record OrdersAgreeWithReservations(
        SimulatedEntities<Order, ?, ?, ?> orders,
        SimulatedEntities<Reservation, ?, ?, ?> reservations,
        Predicate<String> ofSales)
        implements Invariant {

    @Override
    public void check() {
        Set<String> wanted = new HashSet<>();
        for (String id : orders.entityIds()) {
            Order order = orders.journaled(id).state();
            if (order.unmarked() instanceof Order.Asked) {
                // One that came back for a late payment has another hold than the one it began with.
                wanted.add(order.holdId());
                Reservation reservation = reservations.journaled(order.holdId()).state();
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
            boolean ofASale = reservation
                    .asked()
                    .filter(claim -> ofSales.test(claim.pool().value()))
                    .isPresent();
            if (ofASale && NeverOversold.units(reservation) > 0 && !wanted.contains(id)) {
                throw new AssertionError("OrdersAgreeWithReservations: no order is of " + reservation);
            }
        }
    }
}
