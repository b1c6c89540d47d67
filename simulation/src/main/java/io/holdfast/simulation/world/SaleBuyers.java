package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Cause;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.Resolution;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import io.holdfast.simulation.store.Till;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What users do once their request is in: pay, pay twice, pay before there is an order and after there is none, cancel, want their money
 * back; and an operator who stops an order now and then.
 */
final class SaleBuyers {

    private static final Duration OPERATOR_LOOKS_EVERY = Duration.ofSeconds(20);

    private final World world;
    private final Duration late;
    private final Client<Order, OrderCommand> client;
    private final SimulatedEntities<Order, OrderCommand, ?, ?> orders;
    private final Till till;
    private int planned;

    SaleBuyers(
            World world,
            Duration late,
            Client<Order, OrderCommand> client,
            SimulatedEntities<Order, OrderCommand, ?, ?> orders,
            Till till) {
        this.world = world;
        this.late = late;
        this.client = client;
        this.orders = orders;
        this.till = till;
        world.timeline().after(OPERATOR_LOOKS_EVERY, "", this::operatorLooks);
    }

    /** A request is in, or was said to be. */
    void admitted(String id, Wish wish) {
        if (world.chance().strikes(0.05)) {
            pays(id, wish.quantity());
        }
        if (world.chance().strikes(0.7)) {
            within(late, "pays", () -> pays(id, wish.quantity()));
        }
        if (world.chance().strikes(0.15)) {
            within(late, "pays", () -> pays(id, wish.quantity()));
        }
        if (world.chance().strikes(0.1)) {
            within(
                    late,
                    "begins to pay",
                    () -> ask(id, "begin-" + id, Cause.Kind.REQUEST, new OrderFact.BeginPayment("b-" + id)));
        }
        if (world.chance().strikes(0.25)) {
            within(
                    late,
                    "cancels",
                    () -> ask(
                            id,
                            world.chance().id("cancel"),
                            Cause.Kind.REQUEST,
                            new OrderFact.Cancel(CancelReason.BUYER)));
        }
        if (world.chance().strikes(0.35)) {
            within(late.multipliedBy(2), "wants money back", () -> refund(id, wish.quantity()));
        }
        if (world.chance().strikes(0.04)) {
            within(
                    late,
                    "an operator stops an order",
                    () -> ask(
                            id,
                            world.chance().id("freeze"),
                            Cause.Kind.OPERATOR,
                            new OrderCommand.Freeze("somebody disputes it")));
        }
    }

    private void refund(String id, long quantity) {
        String refund = world.chance().id("f");
        long units = world.chance().between(1, (int) quantity);
        ask(
                id,
                refund,
                Cause.Kind.REQUEST,
                new OrderFact.RequestRefund(new OrderRefund(
                        refund, units, price(units), world.chance().strikes(0.8))));
    }

    /** The provider takes the money, and tells of it until it is heard; the news may be late, and come twice. */
    private void pays(String id, long quantity) {
        String number = world.chance().id("p");
        Payment payment = new Payment(
                number,
                "sandbox",
                "t-" + number,
                price(quantity),
                world.timeline().now());
        boolean slowly = world.chance().strikes(0.15);
        if (slowly ? till.payLate(id, payment) : till.pay(id, payment)) {
            if (world.chance().strikes(0.03)) {
                within(
                        late,
                        "a payment is told with other content",
                        () -> client.ask(
                                id,
                                new Cause(
                                        "hook-" + number, "other content", Cause.Kind.EVENT, "buyer", Optional.empty()),
                                new OrderFact.PaymentSucceeded(payment)));
            }
            int times = world.chance().strikes(0.3) ? 2 : 1;
            for (int i = 0; i < times; i++) {
                // Not to be left untold: a provider that took money says so until it is heard.
                within(
                        late,
                        () -> ask(id, "hook-" + number, Cause.Kind.EVENT, new OrderFact.PaymentSucceeded(payment)));
            }
        }
    }

    private static Money price(long units) {
        return new Money(units * 100, "EUR");
    }

    /** An operator who lifts every review, for as long as the run lasts. */
    private void operatorLooks() {
        List<String> marked = orders.entityIds().stream()
                .filter(id -> orders.journaled(id).state() instanceof Order.UnderReview)
                .toList();
        for (String id : marked) {
            long line = orders.journaled(id).sequenceNumber();
            ask(
                    id,
                    "lift-" + id + "-" + line,
                    Cause.Kind.OPERATOR,
                    new OrderCommand.Lift(new Resolution.Continue(), "looked at it"));
        }
        world.timeline().after(OPERATOR_LOOKS_EVERY, "", this::operatorLooks);
    }

    private void within(Duration atMost, String what, Runnable run) {
        within(atMost, () -> world.does(what, run));
    }

    private void within(Duration atMost, Runnable run) {
        planned++;
        world.timeline().after(world.chance().between(Duration.ZERO, atMost), "", () -> {
            planned--;
            run.run();
        });
    }

    /** What is still to be done by somebody. */
    int planned() {
        return planned;
    }

    private void ask(String id, String cause, Cause.Kind kind, OrderCommand command) {
        client.ask(id, new Cause(cause, "hash-of-" + cause, kind, "buyer", Optional.empty()), command);
    }
}
