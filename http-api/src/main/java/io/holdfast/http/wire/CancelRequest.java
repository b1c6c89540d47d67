package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Fact;
import java.util.Optional;

/**
 * Body of {@code POST /v1/reservations/{id}/cancel}: the order will never exist.
 *
 * @param orderId the order it is about
 * @param reason for people; kept in the journal
 * @param line what the reservation's id was made of, where the caller says so
 */
public record CancelRequest(String orderId, Optional<String> reason, Optional<LineOf> line) {

    static final int LONGEST_REASON = 256;
    private static final String NO_REASON = "no reason given";

    /** Reads a body. */
    public static Parsed<CancelRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        var orderId = fields.id("order_id");
        var reason = fields.optionalText("reason", LONGEST_REASON);
        var line = fields.optionalObject(LineOf.MEMBER, LineOf::parse);
        return fields.into(() -> new CancelRequest(orderId.get(), reason.get(), line.get()));
    }

    /** The fact it reports. */
    public Fact fact() {
        return new Fact.OrderCreatedFailed(orderId, reason.orElse(NO_REASON));
    }

    /** What it says, without who and when. */
    public ContentHash content() {
        var content = ContentHash.of("cancel").with("order_id", orderId);
        reason.ifPresent(text -> content.with("reason", text));
        return content;
    }
}
