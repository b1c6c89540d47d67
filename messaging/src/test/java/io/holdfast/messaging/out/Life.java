package io.holdfast.messaging.out;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Machine;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** An entity lived event by event; each event's messages are kept. */
final class Life<S, E> {

    static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    static final Instant LATER = NOW.plus(Duration.ofMinutes(15));
    static final Line LINE = new Line("m-1", "soup", "order-1", "item-1", Optional.of("user-1"));
    static final String ID = LINE.reservationId();
    static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    static final Terms FIVE = new Terms(LINE, 5, new OrderType.InstantOrder());
    static final Terms FIVE_LATER = new Terms(LINE, 5, new OrderType.ScheduledOrder(LATER));
    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    static final Cause CAUSE =
            new Cause("/orders evt-1", "hash", Cause.Kind.EVENT, "order.lifecycle.v1", Optional.of(TRACE));

    private interface Writing<S, E> {
        List<OutgoingMessage> of(long sequence, S before, Entry<E> entry, S after);
    }

    private final Machine<S, ?, E, ?> machine;
    private final Writing<S, E> writing;
    private final Set<Class<?>> met = new LinkedHashSet<>();
    private final List<OutgoingMessage> all = new ArrayList<>();
    private S state;
    private long sequence;
    private List<OutgoingMessage> latest = List.of();

    private Life(Machine<S, ?, E, ?> machine, String id, Writing<S, E> writing) {
        this.machine = machine;
        this.writing = writing;
        this.state = machine.initial(id);
    }

    static Life<Reservation, ReservationEvent> reservation() {
        return new Life<>(
                new ReservationMachine(EffectPolicies.standard()),
                ID,
                (sequence, before, entry, after) -> ReservationMessages.of(new JournalStep<>(
                        "reservation|" + ID + "#" + sequence, sequence, Optional.of(TRACE), before, entry, after)));
    }

    static Life<StockPool, StockPoolEvent> pool() {
        return new Life<>(
                new StockPoolMachine(EffectPolicies.standard()),
                POOL.value(),
                (sequence, before, entry, after) -> PoolMessages.of(new JournalStep<>(
                        "stock-pool|" + POOL + "#" + sequence, sequence, Optional.empty(), before, entry, after)));
    }

    static CompensationMachine compensations() {
        return new CompensationMachine(
                new CompensationPolicies(EffectPolicies.standard().script(), false));
    }

    static Life<Compensation, CompensationEvent> compensation(String key) {
        return new Life<>(
                compensations(),
                key,
                (sequence, before, entry, after) -> CompensationMessages.of(new JournalStep<>(
                        "compensation|" + key + "#" + sequence, sequence, Optional.of(TRACE), before, entry, after)));
    }

    static Life<Order, OrderEvent> order(String id) {
        return new Life<>(
                new OrderMachine(OrderPolicies.standard()),
                id,
                (sequence, before, entry, after) -> OrderMessages.of(new JournalStep<>(
                        "order|" + id + "#" + sequence, sequence, Optional.of(TRACE), before, entry, after)));
    }

    static Life<Reservation, ReservationEvent> requested(Terms terms) {
        return reservation().then(new ReservationEvent.HoldRequested(POOL, terms, LATER));
    }

    static Life<Reservation, ReservationEvent> held(Terms terms) {
        return requested(terms).then(new ReservationEvent.HoldGranted(books(3, 5, 0)));
    }

    /** Books of a pool of 10 units. */
    static Books books(long version, long reserved, long sold) {
        return Books.expected(1, version, 10, reserved, sold);
    }

    Life<S, E> then(E event) {
        met.add(event.getClass());
        return entry(new Entry.Happened<>(event, meta()), (s, _) -> machine.evolve(s, event));
    }

    Life<S, E> stalled() {
        return entry(new Entry.EffectStalled<>("CONFIRM:" + ID, "confirm", 12, "no answer", meta()), (s, _) -> s);
    }

    private Life<S, E> entry(Entry<E> entry, BiFunction<S, Entry<E>, S> evolve) {
        S before = state;
        state = evolve.apply(before, entry);
        sequence++;
        latest = writing.of(sequence, before, entry, state);
        all.addAll(latest);
        return this;
    }

    private static Meta meta() {
        return new Meta(NOW, CAUSE, Optional.empty());
    }

    /** Messages of the last event. */
    List<OutgoingMessage> messages() {
        return latest;
    }

    /** Messages of all events. */
    List<OutgoingMessage> everything() {
        return all;
    }

    /** Kinds of event that were lived through. */
    Set<Class<?>> met() {
        return met;
    }

    /** The last event's messages, a line each: {@code type[key] id-suffix}, then what it says beyond what every message says. */
    List<String> told() {
        return latest.stream().map(Life::line).toList();
    }

    private static String line(OutgoingMessage message) {
        var data = new java.util.LinkedHashMap<>(message.data());
        for (String common : List.of(
                "reservation_id",
                "order_id",
                "order_item_id",
                "merchant",
                "dish",
                "user_id",
                "pool",
                "stock_date",
                "order_type",
                "processing_time")) {
            data.remove(common);
        }
        String suffix = message.id().replaceFirst("^[^#]*#\\d+", "");
        String numbers = "";
        if (data.containsKey("total_delta")) {
            numbers = " %+d/%+d/%+d/%+d/%+d"
                    .formatted(
                            data.remove("total_delta"),
                            data.remove("deficit_delta"),
                            data.remove("available_delta"),
                            data.remove("reserved_delta"),
                            data.remove("sold_delta"));
        }
        if (data.containsKey("after")) {
            numbers += " @" + data.remove("epoch") + "." + data.remove("redis_version") + " " + data.remove("after");
        }
        return message.type() + "[" + message.key() + "]" + suffix + " " + data + numbers;
    }
}
