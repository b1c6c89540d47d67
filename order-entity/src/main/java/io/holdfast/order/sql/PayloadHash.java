package io.holdfast.order.sql;

import io.holdfast.json.ContentHash;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.util.HexFormat;

/**
 * Hash of what a request for an order says: canonical JSON of its business data at the schema version of its first sending. Attempts,
 * tracing and sending time are no part of it.
 */
final class PayloadHash {

    private PayloadHash() {}

    /** 32 bytes. */
    static byte[] of(OrderCreateRequested request) {
        String hex = ContentHash.of(OrderCreateRequested.TYPE + ".v" + OrderCreateRequested.SCHEMA_VERSION)
                .with("message_id", request.messageId())
                .with("reservation_id", request.reservationId())
                .with("request_id", request.requestId())
                .with("activity", request.activity())
                .with("sku", request.sku())
                .with("user_id", request.userId())
                .with("quantity", request.quantity())
                .with("reserved_at", request.reservedAt().toString())
                .with("business_deadline", request.businessDeadline().toString())
                .hex();
        return HexFormat.of().parseHex(hex);
    }
}
