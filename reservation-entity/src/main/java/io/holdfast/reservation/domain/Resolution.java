package io.holdfast.reservation.domain;

/** What a person decides about a reservation under review. */
public sealed interface Resolution {

    /** The kept state stands; what it owes goes on. */
    record Continue() implements Resolution {}

    /**
     * The reservation has ended like this; nothing more moves. The pool's verification holds the person to it.
     *
     * @param ending how
     */
    record StandAs(Ending ending) implements Resolution {}

    /** Where a reservation may be declared to stand. */
    enum Ending {
        /** The order's units are sold. */
        CONFIRMED,
        /** Nothing is held, and there is no order. */
        CANCELED,
        /** Everything the order had went back. */
        REFUNDED
    }
}
