package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Refund;
import java.util.Optional;

/**
 * Body of {@code POST /v1/reservations/{id}/refunds}: units of the order go back.
 *
 * @param orderId the order it is about, where the caller names it; otherwise the reservation's own
 * @param refundId unique within the reservation
 * @param quantity units; without it the whole order was cancelled and everything left goes back
 * @param restock whether they become available again
 * @param line what the reservation's id was made of, where the caller says so
 */
public record RefundBody(
        Optional<String> orderId, String refundId, Optional<Long> quantity, boolean restock, Optional<LineOf> line) {

    /** Reads a body. */
    public static Parsed<RefundBody> parse(ObjectValue body) {
        var fields = new Fields(body);
        var orderId = fields.optionalId("order_id");
        var refundId = fields.id("refund_id");
        var quantity = fields.optionalInteger("quantity", 1, Fields.MAX_INTEGER);
        var restock = fields.optionalBool("restock");
        var line = fields.optionalObject(LineOf.MEMBER, LineOf::parse);
        if (!fields.has("quantity") && restock.get().equals(Optional.of(false))) {
            fields.fault(
                    "restock", Code.CONFLICTING, "Only units that are counted can stay sold: give their quantity.");
        }
        return fields.into(() -> new RefundBody(
                        orderId.get(),
                        refundId.get(),
                        quantity.get(),
                        restock.get().orElse(true),
                        line.get()))
                .then(RefundBody::withoutReservedId);
    }

    private static Parsed<RefundBody> withoutReservedId(RefundBody body) {
        return Refund.isReserved(body.refundId)
                ? Parsed.invalid(InputError.field(
                        "refund_id", Code.BAD_SYNTAX, "This id is reserved for what the system gives back by itself."))
                : Parsed.valid(body);
    }

    /** The fact it reports. */
    public Fact fact() {
        return quantity.<Fact>map(units -> new Fact.RefundRequested(orderId, refundId, units, restock))
                .orElseGet(() -> new Fact.OrderCanceled(orderId, "refund " + refundId + " of everything left"));
    }

    /** What it says, without who and when. */
    public ContentHash content() {
        var content = ContentHash.of("refund").with("refund_id", refundId).with("restock", restock);
        orderId.ifPresent(id -> content.with("order_id", id));
        quantity.ifPresent(units -> content.with("quantity", units));
        return content;
    }
}
