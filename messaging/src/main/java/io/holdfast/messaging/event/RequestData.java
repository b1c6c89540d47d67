package io.holdfast.messaging.event;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Data of a request for an order, schema version 1. */
final class RequestData {

    private RequestData() {}

    /** @param messageId id of the event, which must be that of the message */
    static Parsed<OrderCreateRequested> parse(ObjectValue data, String messageId) {
        var fields = new Fields(data);
        fields.integer("schema_version", OrderCreateRequested.SCHEMA_VERSION, OrderCreateRequested.SCHEMA_VERSION);
        var message = fields.id("message_id");
        var reservation = fields.id("reservation_id");
        var request = fields.id("request_id");
        var activity = fields.id("activity");
        var sku = fields.id("sku");
        var user = fields.id("user_id");
        var quantity = fields.integer("quantity", 1, Fields.MAX_INTEGER);
        var reservedAt = instant(fields, "reserved_at");
        var deadline = instant(fields, "business_deadline");
        return fields.intoIgnoringOthers(() -> List.of(reservedAt.get(), deadline.get()))
                .then(times -> {
                    if (!message.get().equals(messageId)) {
                        return conflicting("message_id", "It must be the id of the event.");
                    }
                    if (Mention.id(reservation.get()).isEmpty()) {
                        return conflicting("reservation_id", "It must be " + Mention.ID_SYNTAX + ".");
                    }
                    Instant from = times.getFirst();
                    Instant to = times.getLast();
                    return to.isAfter(from)
                            ? Parsed.valid(new OrderCreateRequested(
                                    message.get(),
                                    reservation.get(),
                                    request.get(),
                                    activity.get(),
                                    sku.get(),
                                    user.get(),
                                    quantity.get(),
                                    from,
                                    to))
                            : conflicting("business_deadline", "It must be after reserved_at.");
                });
    }

    private static Supplier<Instant> instant(Fields fields, String name) {
        Supplier<Optional<Instant>> instant = fields.optionalInstant(name);
        if (!fields.has(name)) {
            fields.fault(name, Code.MISSING, "This is required.");
        }
        return () -> instant.get().orElseThrow();
    }

    private static Parsed<OrderCreateRequested> conflicting(String field, String why) {
        return Parsed.invalid(InputError.field(field, Code.CONFLICTING, why));
    }
}
