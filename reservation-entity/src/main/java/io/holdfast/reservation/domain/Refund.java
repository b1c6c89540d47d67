package io.holdfast.reservation.domain;

/**
 * One giving-back of units of a created order.
 *
 * @param id unique within the reservation
 * @param quantity units
 * @param restock whether they become available again; if not they count as sold
 */
public record Refund(String id, long quantity, boolean restock) {

    /** Refund id of "all that is left", which an OrderCanceled means. */
    public static final String ORDER_CANCELED = "order-canceled";

    /** Refund id under which units go back that were held but that the created order does not want. */
    public static final String SURPLUS = "order-created-surplus";

    /** Refund id of what a person declared to have gone back. */
    public static final String DECLARED = "declared-refunded";

    /** Whether this refund id is one of our own, which no caller may use. */
    public static boolean isReserved(String refundId) {
        return refundId.equals(ORDER_CANCELED) || refundId.equals(SURPLUS) || refundId.equals(DECLARED);
    }

    /** @throws IllegalArgumentException if the id or the quantity breaks the rule */
    public Refund {
        Ids.part("refund_id", id);
        Ids.positive("quantity", quantity);
    }
}
