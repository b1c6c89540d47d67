package io.holdfast.reservation.domain;

import java.util.Optional;

/**
 * The order line a reservation is for.
 *
 * @param merchant who sells
 * @param dish what is sold
 * @param orderId the order
 * @param orderItemId the line within it
 * @param userId the buyer, where known
 */
public record Line(String merchant, String dish, String orderId, String orderItemId, Optional<String> userId) {

    /** @throws IllegalArgumentException if an id breaks {@link Ids the rule} */
    public Line {
        Ids.part("merchant", merchant);
        Ids.part("dish", dish);
        Ids.part("order_id", orderId);
        Ids.part("order_item_id", orderItemId);
        userId.ifPresent(id -> Ids.part("user_id", id));
    }

    /** Id of the reservation of this line. */
    public String reservationId() {
        return ReservationIds.journalFirst(merchant, dish, orderItemId);
    }
}
