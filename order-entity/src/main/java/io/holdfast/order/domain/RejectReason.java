package io.holdfast.order.domain;

/** Why there will be no order. Decided in the database; the names are stored there and published. */
public enum RejectReason {
    /** The sale had fewer units left than were asked for. */
    OUT_OF_FINAL_STOCK,
    /** The buyer has another live order of the same item. */
    DUPLICATE_BUYER,
    /** The business deadline had passed before an order was made. */
    BUSINESS_DEADLINE_EXCEEDED
}
