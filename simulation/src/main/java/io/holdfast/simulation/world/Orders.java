package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Cause;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Freeze;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.Resolution;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.testkit.simulation.Chance;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An order domain with every habit of a bad one: it tells the fate of an order early, late, twice, in the wrong order, contradicts itself and
 * re-uses ids. It does tell it, for every order, in the end.
 */
final class Orders {

    private static final Duration OPERATOR_LOOKS_EVERY = Duration.ofSeconds(15);

    private final World world;
    private final Chance chance;
    private final Duration soon;
    private final Duration late;
    private final Client<Reservation, ReservationCommand> client;
    private final Client<Reservation, ReservationCommand> operators;
    private final SimulatedEntities<Reservation, ?, ?, ?> reservations;

    Orders(
            World world,
            Pace pace,
            Client<Reservation, ReservationCommand> client,
            Client<Reservation, ReservationCommand> operators,
            SimulatedEntities<Reservation, ?, ?, ?> reservations) {
        this.world = world;
        this.chance = world.chance();
        this.late = pace.late();
        this.soon = pace.late().dividedBy(6);
        this.client = client;
        this.operators = operators;
        this.reservations = reservations;
        world.timeline().after(OPERATOR_LOOKS_EVERY, "", this::operatorLooks);
    }

    /** Somebody orders, and everything that will happen to the order is planned. */
    void somebodyOrders(PoolId pool) {
        String item = chance.id("item");
        Line line = new Line(
                pool.merchant(), pool.dish(), orderOf(item), item, Optional.of("user-" + chance.between(1, 20)));
        long quantity = chance.between(1, 3);
        Instant now = world.timeline().now();
        OrderType type = chance.strikes(0.25)
                ? new OrderType.ScheduledOrder(now.plus(chance.between(Duration.ofSeconds(5), late)))
                : new OrderType.InstantOrder();
        Instant attentionAt = now.plus(chance.between(soon, late));
        Reserve reserve = new Reserve(new Terms(line, quantity, type), new PoolChoice.Named(pool), attentionAt);
        String id = line.reservationId();

        request(id, "try-" + item, reserve);
        if (chance.strikes(0.15)) {
            later(late, "asks again", () -> request(id, "try-again-" + item, reserve));
        }
        if (chance.strikes(0.05)) {
            later(
                    soon,
                    "asks for another quantity",
                    () -> request(
                            id,
                            "try-other-" + item,
                            new Reserve(new Terms(line, quantity + 1, type), reserve.pool(), attentionAt)));
        }
        tellFate(id, item, quantity);
        if (chance.strikes(0.04)) {
            later(
                    soon,
                    "an operator stops a hold",
                    () -> operator(id, "freeze-" + item, new Freeze("somebody disputes it")));
        }
    }

    /** Somebody orders several lines, all or nothing; whoever asks for them may die on the way. */
    void somebodyOrdersTogether(List<PoolId> choice) {
        String order = chance.id("order");
        Instant now = world.timeline().now();
        Instant attentionAt = now.plus(chance.between(soon, late));
        List<GroupLine> lines = new ArrayList<>();
        int size = chance.between(2, 4);
        for (int i = 1; i <= size; i++) {
            PoolId pool = chance.pick(choice);
            Line line = new Line(
                    pool.merchant(),
                    pool.dish(),
                    orderOf(order),
                    order + "." + i,
                    Optional.of("user-" + chance.between(1, 20)));
            lines.add(new GroupLine(pool, new Terms(line, chance.between(1, 2), new OrderType.InstantOrder())));
        }
        Group group = new Group(lines);
        ask(group, group.deciding(), attentionAt, "together");
        boolean dies = chance.strikes(0.2);
        for (GroupLine line : group.without(group.deciding().reservationId())) {
            if (!dies) {
                later(Duration.ofSeconds(2), "asks for a line", () -> ask(group, line, attentionAt, "together"));
            }
            // The order may have failed before anybody asked for the line that decides, which then brings nobody in. An
            // order domain that
            // told the others that it was created hears of that when it asks for them too.
            world.timeline().after(late.multipliedBy(4), "", () -> ask(group, line, attentionAt, "together-at-last"));
        }
        if (chance.strikes(0.3)) {
            later(
                    late,
                    "asks for all lines again",
                    () -> group.lines().forEach(line -> ask(group, line, attentionAt, "together-again")));
        }
        if (chance.strikes(0.1)) {
            GroupLine one = chance.pick(group.lines());
            later(
                    soon,
                    "asks for a line alone",
                    () -> request(
                            one.reservationId(),
                            "alone-" + one.terms().line().orderItemId(),
                            new Reserve(one.terms(), new PoolChoice.Named(one.pool()), attentionAt)));
        }
        if (chance.strikes(0.1)) {
            GroupLine one = chance.pick(group.lines());
            later(
                    soon,
                    "an operator stops a line",
                    () -> operator(one.reservationId(), "freeze-" + order, new Freeze("somebody disputes it")));
        }
        // What becomes of the order is told to each line, as ever: in any order, twice, or to one of them before all
        // others.
        boolean oneFailsFirst = chance.strikes(0.15);
        boolean created = chance.strikes(0.5);
        for (GroupLine line : group.lines()) {
            String item = line.terms().line().orderItemId();
            String id = line.reservationId();
            if (oneFailsFirst && line.equals(group.lines().getLast())) {
                event(Duration.ZERO, id, "overtaken-" + item, failed(item, "overtook its request"));
            } else if (created) {
                event(late, id, "created-" + item, OrderCreated.whole(orderOf(item)));
            }
            lastWord(id, item);
        }
    }

    private void ask(Group group, GroupLine line, Instant attentionAt, String key) {
        request(
                line.reservationId(),
                key + "-" + line.terms().line().orderItemId(),
                new Reserve(line.terms(), new PoolChoice.Named(line.pool()), attentionAt, Optional.of(group)));
    }

    private void tellFate(String id, String item, long quantity) {
        switch (chance.between(1, 20)) {
            case 1, 2, 3, 4, 5 -> event(soon, id, "created-" + item, created(item, quantity));
            case 6, 7, 8, 9 -> event(soon, id, "failed-" + item, failed(item, "payment refused"));
            case 10, 11 -> {
                event(soon, id, "created-" + item, created(item, quantity));
                event(soon, id, "failed-" + item, failed(item, "payment refused"));
            }
            case 12 -> event(Duration.ZERO, id, "failed-" + item, failed(item, "overtook its request"));
            case 13 -> event(Duration.ZERO, id, "created-" + item, created(item, quantity));
            case 14 -> event(late, id, "canceled-" + item, canceled(item, "created was never told"));
            case 15 -> refunds(id, item, quantity, late);
            case 16 -> event(late.multipliedBy(2), id, "failed-" + item, failed(item, "told very late"));
            case 17, 18 -> {
                event(soon, id, "created-" + item, created(item, quantity));
                event(late, id, "canceled-" + item, canceled(item, "buyer changed their mind"));
            }
            default -> {
                event(soon, id, "created-" + item, created(item, quantity));
                refunds(id, item, quantity, late);
            }
        }
        if (chance.strikes(0.05)) {
            event(chance.strikes(0.3) ? Duration.ZERO : late, id, "mistaken-" + item, mistaken(item, quantity));
        }
        // Whatever was told before, some fate is told at last.
        lastWord(id, item);
    }

    /** Not to be left unsaid: a hold of which nobody ever tells stays. */
    private void lastWord(String id, String item) {
        Fact fact = failed(item, "no such order");
        world.timeline()
                .after(
                        chance.between(Duration.ZERO, late.multipliedBy(3)),
                        "",
                        () -> client.ask(id, cause("last-word-" + item, fact, Cause.Kind.EVENT), fact));
    }

    private static String orderOf(String item) {
        return "order-of-" + item.split("\\.", 2)[0];
    }

    private OrderCreated created(String item, long quantity) {
        return chance.strikes(0.25)
                ? new OrderCreated(orderOf(item), OptionalLong.of(chance.between(1, (int) quantity)))
                : OrderCreated.whole(orderOf(item));
    }

    private static OrderCreatedFailed failed(String item, String reason) {
        return new OrderCreatedFailed(orderOf(item), reason);
    }

    private static OrderCanceled canceled(String item, String reason) {
        return new OrderCanceled(Optional.of(orderOf(item)), reason);
    }

    /** Somebody mistakes the line for one of another order. */
    private Fact mistaken(String item, long quantity) {
        String other = orderOf("another-than-" + item);
        return switch (chance.between(1, 4)) {
            case 1 -> OrderCreated.whole(other);
            case 2 -> new OrderCreatedFailed(other, "payment refused");
            case 3 -> new OrderCanceled(Optional.of(other), "buyer changed their mind");
            default -> new RefundRequested(Optional.of(other), "refund-1", quantity, true);
        };
    }

    private void refunds(String id, String item, long quantity, Duration within) {
        for (int refund = 1; refund <= chance.between(1, 3); refund++) {
            event(
                    within,
                    id,
                    "refund-" + refund + "-" + item,
                    new RefundRequested(
                            chance.strikes(0.8) ? Optional.of(orderOf(item)) : Optional.empty(),
                            "refund-" + refund,
                            chance.between(1, (int) quantity),
                            chance.strikes(0.8)));
        }
    }

    private void event(Duration within, String id, String cause, Fact fact) {
        String what = "told " + fact.getClass().getSimpleName();
        // Some are told by whoever calls over HTTP.
        ReservationCommand told = chance.strikes(0.1) ? new ReservationCommand.ToldByCaller(fact) : fact;
        later(within, what, () -> client.ask(id, cause(cause, fact, Cause.Kind.EVENT), told));
        if (chance.strikes(0.1)) {
            later(within.plus(soon), what + " again", () -> client.ask(id, cause(cause, fact, Cause.Kind.EVENT), fact));
        }
        if (chance.strikes(0.02)) {
            Fact other = new OrderCanceled(Optional.empty(), "other content under " + cause);
            later(
                    within.plus(soon),
                    "told something else under the same id",
                    () -> client.ask(id, cause(cause, other, Cause.Kind.EVENT), other));
        }
    }

    private void request(String id, String cause, ReservationCommand command) {
        client.ask(id, cause(cause, command, Cause.Kind.REQUEST), command);
    }

    private void operator(String id, String cause, ReservationCommand command) {
        operators.ask(id, cause(cause, command, Cause.Kind.OPERATOR), command);
    }

    /** An operator who lifts every review, for as long as the run lasts. */
    private void operatorLooks() {
        List<String> marked = reservations.entityIds().stream()
                .filter(id -> reservations.journaled(id).state() instanceof Reservation.UnderReview)
                .toList();
        for (String id : marked) {
            long line = reservations.journaled(id).sequenceNumber();
            operator(id, "lift-" + id + "-" + line, new Lift(new Resolution.Continue(), "looked at it"));
        }
        world.timeline().after(OPERATOR_LOOKS_EVERY, "", this::operatorLooks);
    }

    private void later(Duration within, String what, Runnable run) {
        world.timeline().after(chance.between(Duration.ZERO, within), "", () -> world.does(what, run));
    }

    private static Cause cause(String id, ReservationCommand command, Cause.Kind kind) {
        Object content = command instanceof Reserve reserve ? reserve.terms() : command;
        return new Cause(id, "hash of " + content, kind, "orders", Optional.empty());
    }
}
