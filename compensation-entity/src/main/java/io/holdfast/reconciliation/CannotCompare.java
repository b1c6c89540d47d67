package io.holdfast.reconciliation;

/** A pool can't be compared now; the message says why. No finding about its stock. */
final class CannotCompare extends RuntimeException {

    private static final long serialVersionUID = 1;

    CannotCompare(String why) {
        super(why);
    }
}
