package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Terms;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks for a hold: body of {@code POST /v1/reservations}, or a line of {@code POST /v1/orders/{order}/reservations}.
 *
 * @param pool where the caller named one; then merchant and dish are the pool's
 * @param terms what is asked for
 */
public record ReserveRequest(Optional<PoolId> pool, Terms terms) {

    /** How an order type is written. */
    enum Type {
        INSTANT,
        SCHEDULED
    }

    /** Reads a body. */
    public static Parsed<ReserveRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        return parse(fields, fields.id("order_id"));
    }

    /** Reads a line of this order, which names it no more. */
    static Parsed<ReserveRequest> parseLine(ObjectValue line, String orderId) {
        return parse(new Fields(line), () -> orderId);
    }

    private static Parsed<ReserveRequest> parse(Fields fields, Supplier<String> orderId) {
        var pool = fields.optionalString("pool", Pools::parse, Pools.SYNTAX);
        var merchant = fields.optionalId("merchant");
        var dish = fields.optionalId("dish");
        var orderItemId = fields.id("order_item_id");
        var userId = fields.optionalId("user_id");
        var quantity = fields.integer("quantity", 1, Fields.MAX_INTEGER);
        var type = fields.optionalChoice("order_type", Type.class);
        var processingTime = fields.optionalInstant("processing_time");
        if (fields.has("pool")) {
            for (String name : new String[] {"merchant", "dish"}) {
                if (fields.has(name)) {
                    fields.fault(name, Code.CONFLICTING, "The pool names the merchant and the dish already.");
                }
            }
        } else {
            for (String name : new String[] {"merchant", "dish"}) {
                if (!fields.has(name)) {
                    fields.fault(name, Code.MISSING, "Either pool, or merchant and dish, must be given.");
                }
            }
        }
        boolean instant = type.get().equals(Optional.of(Type.INSTANT));
        boolean scheduled = type.get().equals(Optional.of(Type.SCHEDULED));
        if (instant && fields.has("processing_time")) {
            fields.fault("processing_time", Code.CONFLICTING, "An INSTANT order has no processing time.");
        }
        if (scheduled && !fields.has("processing_time")) {
            fields.fault("processing_time", Code.MISSING, "A SCHEDULED order needs its processing time.");
        }
        return fields.into(() -> {
            Optional<PoolId> named = pool.get();
            return new ReserveRequest(
                    named,
                    new Terms(
                            new Line(
                                    named.map(PoolId::merchant).or(merchant).orElseThrow(),
                                    named.map(PoolId::dish).or(dish).orElseThrow(),
                                    orderId.get(),
                                    orderItemId.get(),
                                    userId.get()),
                            quantity.get(),
                            orderType(processingTime.get())));
        });
    }

    /** What it asks for, without who, when, and how it was spelled. */
    public ContentHash content() {
        Line line = terms.line();
        var content = ContentHash.of("reserve")
                .with("merchant", line.merchant())
                .with("dish", line.dish())
                .with("order_id", line.orderId())
                .with("order_item_id", line.orderItemId())
                .with("quantity", terms.quantity());
        pool.ifPresent(named -> content.with("pool", named.value()));
        line.userId().ifPresent(user -> content.with("user_id", user));
        switch (terms.orderType()) {
            case OrderType.InstantOrder() -> content.with("order_type", Type.INSTANT.name());
            case OrderType.ScheduledOrder(Instant at) ->
                content.with("order_type", Type.SCHEDULED.name()).with("processing_time", at.toString());
        }
        return content;
    }

    private static OrderType orderType(Optional<Instant> processingTime) {
        return processingTime.<OrderType>map(OrderType.ScheduledOrder::new).orElseGet(OrderType.InstantOrder::new);
    }
}
