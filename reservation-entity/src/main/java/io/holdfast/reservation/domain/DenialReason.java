package io.holdfast.reservation.domain;

/** Why Redis did not grant a hold. Final for the reservation: trying again needs a new order item. */
public enum DenialReason {
    /** Fewer units available than asked for. */
    SHORT,
    /** The pool takes no new holds any more. */
    CLOSED,
    /** The pool takes no new holds for now. */
    PAUSED,
    /** The fence in Redis had ended before. */
    FENCED,
    /** Another line of its group could not be held. */
    OTHER_LINE
}
