package io.holdfast.order.domain;

/** Why a payment pays nothing and goes back. */
public enum SurplusReason {
    /** The order was rejected: it never came about. */
    ORDER_REJECTED,
    /** The order had been cancelled. */
    ORDER_CANCELLED,
    /** Another payment paid the order. */
    PAID_BEFORE,
    /** No order of that id came, for as long as was waited for one. */
    NO_ORDER
}
