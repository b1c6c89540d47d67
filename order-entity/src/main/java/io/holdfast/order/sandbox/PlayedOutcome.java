package io.holdfast.order.sandbox;

/** What becomes of a payment in the sandbox. Whoever makes the payment says. */
public enum PlayedOutcome {
    /** It succeeds, and a notice tells of it. */
    SUCCESS,
    /** It is declined. */
    FAILURE,
    /** Nothing is heard of it until the order is closed; it succeeds a few seconds later, and a notice tells of it. */
    LATE,
    /** It succeeds, but neither the buyer nor a notice hears of it: only who asks. */
    UNKNOWN,
    /** The buyer pays twice; both succeed, and notices tell of both. */
    DOUBLE
}
