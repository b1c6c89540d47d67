package io.holdfast.order.port;

import io.holdfast.json.ContentHash;
import io.holdfast.reservation.domain.OrderCreateRequested;

/**
 * What a request for an order says: canonical JSON of its business data at the schema version of its first sending. Attempts, tracing and
 * sending time are no part of it. Whoever reads it from a topic and whoever decides it hold it against the same.
 */
public final class RequestContent {

    private RequestContent() {}

    /** Its content, to be hashed. */
    public static ContentHash of(OrderCreateRequested request) {
        return ContentHash.of(OrderCreateRequested.TYPE + ".v" + OrderCreateRequested.SCHEMA_VERSION)
                .with("message_id", request.messageId())
                .with("reservation_id", request.reservationId())
                .with("request_id", request.requestId())
                .with("activity", request.activity())
                .with("sku", request.sku())
                .with("user_id", request.userId())
                .with("quantity", request.quantity())
                .with("reserved_at", request.reservedAt().toString())
                .with("business_deadline", request.businessDeadline().toString());
    }
}
