package io.holdfast.order.domain;

/** Why an order is cancelled. */
public enum CancelReason {
    /** It was not paid in time. */
    PAY_TIMEOUT,
    /** The buyer wants it no more. */
    BUYER,
    /** A person with authority ordered it. */
    OPERATOR
}
