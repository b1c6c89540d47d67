package io.holdfast.reservation.domain;

import java.time.Instant;

/**
 * What an order service is asked on behalf of a hold that was admitted: make an order of it. Sent under the same id and with the same
 * content however often; the order service decides it once.
 *
 * @param messageId identity of the message, computable from the reservation id: the key under which it is decided
 * @param reservationId the hold, and the id of the order that comes of it
 * @param requestId of the buyer's request
 * @param activity the sale
 * @param sku what is sold in it
 * @param userId the buyer
 * @param quantity units
 * @param reservedAt when the hold was admitted
 * @param businessDeadline when an order that does not exist yet may be decided against; passing it decides nothing by itself
 */
public record OrderCreateRequested(
        String messageId,
        String reservationId,
        String requestId,
        String activity,
        String sku,
        String userId,
        long quantity,
        Instant reservedAt,
        Instant businessDeadline) {

    /** Type of the message. */
    public static final String TYPE = "OrderCreateRequested";

    /** Version of its content. */
    public static final int SCHEMA_VERSION = 1;

    /** @throws IllegalArgumentException if an id or the quantity breaks the rule, or the deadline is not after the admission */
    public OrderCreateRequested {
        Ids.part("message_id", messageId);
        Ids.part("reservation_id", reservationId);
        Ids.part("request_id", requestId);
        Ids.part("activity", activity);
        Ids.part("sku", sku);
        Ids.part("user_id", userId);
        Ids.positive("quantity", quantity);
        if (!businessDeadline.isAfter(reservedAt)) {
            throw new IllegalArgumentException("business_deadline must be after reserved_at");
        }
    }
}
