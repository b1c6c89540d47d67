package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.ReservationIds;

/**
 * The order line that a reservation's id was made of: it shows whose the reservation is before anything is known of it. No part of what a
 * request says.
 *
 * @param merchant who sells
 * @param dish what is sold
 * @param orderItemId the line
 */
public record LineOf(String merchant, String dish, String orderItemId) {

    /** The member that holds it. */
    public static final String MEMBER = "line";

    static Parsed<LineOf> parse(ObjectValue line) {
        var fields = new Fields(line);
        var merchant = fields.id("merchant");
        var dish = fields.id("dish");
        var item = fields.id("order_item_id");
        return fields.into(() -> new LineOf(merchant.get(), dish.get(), item.get()));
    }

    /** Whether this reservation's id was made of it. */
    public boolean makes(String reservationId) {
        return ReservationIds.journalFirst(merchant, dish, orderItemId).equals(reservationId);
    }
}
