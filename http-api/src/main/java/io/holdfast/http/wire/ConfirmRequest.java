package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Fact;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Body of {@code POST /v1/reservations/{id}/confirm}: the order was created.
 *
 * @param orderId the order it is about
 * @param quantity units the order wants, where it wants fewer than were held
 * @param line what the reservation's id was made of, where the caller says so
 */
public record ConfirmRequest(String orderId, OptionalLong quantity, Optional<LineOf> line) {

    /** Reads a body. */
    public static Parsed<ConfirmRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        var orderId = fields.id("order_id");
        var quantity = fields.optionalInteger("quantity", 1, Fields.MAX_INTEGER);
        var line = fields.optionalObject(LineOf.MEMBER, LineOf::parse);
        return fields.into(() -> new ConfirmRequest(
                orderId.get(), quantity.get().map(OptionalLong::of).orElseGet(OptionalLong::empty), line.get()));
    }

    /** The fact it reports. */
    public Fact fact() {
        return new Fact.OrderCreated(orderId, quantity);
    }

    /** What it says, without who and when. */
    public ContentHash content() {
        var content = ContentHash.of("confirm").with("order_id", orderId);
        quantity.ifPresent(units -> content.with("quantity", units));
        return content;
    }
}
