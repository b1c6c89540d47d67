package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Resolution;
import io.holdfast.reservation.domain.Refund;
import java.util.Optional;
import java.util.function.Supplier;

/** What is asked of an order of the built-in order service, read from bodies. */
public final class PlacedOrderRequests {

    private static final int LONGEST_OPERATION = 200;

    private PlacedOrderRequests() {}

    /**
     * One request.
     *
     * @param command what the order is told
     * @param content what it says, without who and when
     */
    public record Wish(OrderCommand command, ContentHash content) {}

    /** Body of {@code POST /v1/orders/{id}/payments}: the buyer begins to pay. */
    public static Parsed<Wish> payment(ObjectValue body) {
        var fields = new Fields(body);
        var paymentId = fields.id("payment_id");
        return fields.into(() -> new Wish(
                new OrderFact.BeginPayment(paymentId.get()),
                ContentHash.of("begin-payment").with("payment_id", paymentId.get())));
    }

    /** Body of {@code POST /v1/orders/{id}/cancel}: the order is not wanted any more. */
    public static Parsed<Wish> cancel(ObjectValue body) {
        var fields = new Fields(body);
        var by = fields.optionalChoice("by", Canceller.class);
        return fields.into(() -> {
            CancelReason reason = by.get().orElse(Canceller.BUYER).reason();
            return new Wish(
                    new OrderFact.Cancel(reason), ContentHash.of("cancel-order").with("by", reason.name()));
        });
    }

    /** Who wants an order no more. */
    enum Canceller {
        /** Who bought it. */
        BUYER,
        /** Somebody with authority. */
        OPERATOR;

        CancelReason reason() {
            return switch (this) {
                case BUYER -> CancelReason.BUYER;
                case OPERATOR -> CancelReason.OPERATOR;
            };
        }
    }

    /** Body of {@code POST /v1/orders/{id}/refunds}: units of the paid order go back, with their money. */
    public static Parsed<Wish> refund(ObjectValue body) {
        var fields = new Fields(body);
        var refundId = fields.id("refund_id");
        var quantity = fields.integer("quantity", 1, Fields.MAX_INTEGER);
        var amount = fields.integer("amount", 1, Fields.MAX_INTEGER);
        var currency = fields.optionalString(
                "currency",
                text -> text.matches("[A-Z]{3}") ? Optional.of(text) : Optional.<String>empty(),
                "three capitals");
        var restock = fields.optionalBool("restock");
        if (!fields.has("currency")) {
            fields.fault("currency", Code.MISSING, "This is required.");
        }
        return fields.into(() -> new OrderRefund(
                        refundId.get(),
                        quantity.get(),
                        new Money(amount.get(), currency.get().orElseThrow()),
                        restock.get().orElse(true)))
                .then(refund -> Refund.isReserved(refund.refundId())
                        ? Parsed.invalid(InputError.field(
                                "refund_id",
                                Code.BAD_SYNTAX,
                                "This id is reserved for what the system gives back by itself."))
                        : Parsed.valid(new Wish(new OrderFact.RequestRefund(refund), content(refund))));
    }

    private static ContentHash content(OrderRefund refund) {
        return ContentHash.of("refund-order")
                .with("refund_id", refund.refundId())
                .with("quantity", refund.units())
                .with("amount", refund.amount().minor())
                .with("currency", refund.amount().currency())
                .with("restock", refund.restock());
    }

    /** Body of {@code POST /v1/orders/{id}/freeze}. */
    public static Parsed<Wish> freeze(ObjectValue body) {
        var fields = new Fields(body);
        var reason = why(fields);
        return fields.into(() -> new Wish(
                new OrderCommand.Freeze(reason.get()),
                ContentHash.of("freeze-order").with("reason", reason.get())));
    }

    /** How a person has an order go on. */
    enum Choice {
        /** The kept state stands, and what it owes goes on. */
        CONTINUE,
        /** Money that is owed went back by other means. */
        SETTLED_OUTSIDE
    }

    /** Body of {@code POST /v1/orders/{id}/resolve}. */
    public static Parsed<Wish> resolve(ObjectValue body) {
        var fields = new Fields(body);
        var resolution = fields.optionalChoice("resolution", Choice.class);
        var operation = fields.optionalText("operation_id", LONGEST_OPERATION);
        var reference = fields.optionalId("reference");
        var reason = why(fields);
        if (!fields.has("resolution")) {
            fields.fault("resolution", Code.MISSING, "Say how it goes on: CONTINUE or SETTLED_OUTSIDE.");
        }
        boolean outside = resolution.get().equals(Optional.of(Choice.SETTLED_OUTSIDE));
        for (String name : new String[] {"operation_id", "reference"}) {
            if (outside && !fields.has(name)) {
                fields.fault(name, Code.MISSING, "Say which operation was settled, and the proof of it.");
            } else if (!outside && fields.has(name)) {
                fields.fault(name, Code.CONFLICTING, "Only SETTLED_OUTSIDE names an operation.");
            }
        }
        return fields.into(() -> {
            ContentHash content = ContentHash.of("resolve-order")
                    .with("resolution", resolution.get().orElseThrow().name())
                    .with("reason", reason.get());
            if (!outside) {
                return new Wish(new OrderCommand.Lift(new Resolution.Continue(), reason.get()), content);
            }
            String settled = operation.get().orElseThrow();
            String proof = reference.get().orElseThrow();
            return new Wish(
                    new OrderCommand.Lift(new Resolution.SettledOutside(settled, proof), reason.get()),
                    content.with("operation_id", settled).with("reference", proof));
        });
    }

    private static Supplier<String> why(Fields fields) {
        var reason = fields.optionalText("reason", CancelRequest.LONGEST_REASON);
        if (!fields.has("reason")) {
            fields.fault("reason", Code.MISSING, "Say why: it is kept.");
        }
        return () -> reason.get().orElseThrow();
    }
}
