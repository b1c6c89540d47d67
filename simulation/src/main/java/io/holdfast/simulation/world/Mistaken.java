package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Cause;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Resolution;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** People who ask for what does not fit: they lift what nobody stopped, stop what has ended, pay and cancel whatever it is. Once, and go. */
final class Mistaken {

    private final World world;
    private final SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations;
    private final SimulatedEntities<Order, OrderCommand, ?, ?> orders;

    Mistaken(
            World world,
            SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations,
            SimulatedEntities<Order, OrderCommand, ?, ?> orders) {
        this.world = world;
        this.reservations = reservations;
        this.orders = orders;
    }

    void somebodyIs() {
        String key = world.chance().id("mistaken");
        List<String> holds = reservations.entityIds();
        List<String> ordered = orders.entityIds();
        int what = world.chance().between(1, 6);
        if (what <= 2 && !holds.isEmpty()) {
            String id = world.chance().pick(holds);
            reservations.ask(
                    id,
                    cause(key, Cause.Kind.OPERATOR),
                    what == 1
                            ? new ReservationCommand.Lift(new Resolution.Continue(), "by mistake")
                            : new ReservationCommand.Freeze("by mistake"),
                    Duration.ZERO);
        } else if (!ordered.isEmpty()) {
            String id = world.chance().pick(ordered);
            switch (what) {
                case 1, 3 ->
                    orders.ask(
                            id,
                            cause(key, Cause.Kind.OPERATOR),
                            new OrderCommand.Lift(new io.holdfast.order.domain.Resolution.Continue(), "by mistake"),
                            Duration.ZERO);
                case 2, 4 ->
                    orders.ask(
                            id, cause(key, Cause.Kind.OPERATOR), new OrderCommand.Freeze("by mistake"), Duration.ZERO);
                case 5 ->
                    orders.ask(
                            id, cause(key, Cause.Kind.REQUEST), new OrderFact.BeginPayment("b-" + id), Duration.ZERO);
                default ->
                    orders.ask(
                            id,
                            cause(key, Cause.Kind.REQUEST),
                            new OrderFact.Cancel(CancelReason.BUYER),
                            Duration.ZERO);
            }
        }
    }

    private static Cause cause(String key, Cause.Kind kind) {
        return new Cause(key, "hash-of-" + key, kind, "somebody", Optional.empty());
    }
}
