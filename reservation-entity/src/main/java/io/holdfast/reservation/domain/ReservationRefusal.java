package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.Refusal;

/** Why a reservation says no. The names are part of the API. */
public enum ReservationRefusal implements Refusal {
    /** Fewer units were available than asked for. */
    SOLD_OUT("The pool had fewer units available than were asked for; this reservation ended.", false, false),
    /** The pool takes no new holds. */
    POOL_CLOSED("The pool is closed for new holds; this reservation ended.", false, false),
    /** The pool takes no new holds for now. */
    POOL_PAUSED("The pool was paused when this reservation was tried; this reservation ended.", false, false),
    /** The fence in Redis had ended. */
    FENCED("The hold was blocked because it had ended before; this reservation ended.", false, false),
    /** Another line of the group could not be held. */
    OTHER_LINE_NOT_HELD(
            "Another line of this all-or-nothing request could not be held, so this one was not; this reservation"
                    + " ended.",
            false,
            false),
    /** Same reservation, other content. */
    OTHER_CONTENT("This reservation exists with other content; nothing was changed.", false, false),
    /** The reservation was cancelled. */
    WAS_CANCELED("This reservation was cancelled; trying again needs a new order item.", false, false),
    /** The reservation was refunded. */
    WAS_REFUNDED("This reservation was refunded; trying again needs a new order item.", false, false),
    /** News of another order than the one the reservation is of. */
    OTHER_ORDER("The reservation is of another order; this moves nothing.", false, true),
    /** OrderCreatedFailed after OrderCreated. */
    ORDER_ALREADY_CREATED("The order was created before; a failure to create it moves nothing.", false, true),
    /** OrderCreated, OrderCanceled or RefundRequested after OrderCreatedFailed. */
    ORDER_ALREADY_FAILED("The order failed to be created before; this moves nothing.", false, true),
    /** OrderCreated, OrderCanceled or RefundRequested for a hold that was never granted. */
    NOTHING_HELD("No hold was granted, so there is nothing to confirm or give back.", false, true),
    /** The order wants more than is held. */
    ORDER_EXCEEDS_HOLD("The order names more units than are held.", false, true),
    /** The order was created with another quantity. */
    ORDER_QUANTITY_CONFLICT("The order was created with another quantity before.", false, true),
    /** More is to be given back than is left. */
    REFUND_EXCEEDS("The refund names more units than the order still has.", false, false),
    /** Same refund id, other content. */
    REFUND_ID_REUSED("This refund id was used with other content; nothing was changed.", false, false),
    /** News of the order by others than its order service. */
    ORDER_DECIDES("The hold came in by a gate; its order decides.", false, false),
    /** A person must look first. */
    UNDER_REVIEW("This reservation is under review; ask again when the review is over.", true, false),
    /** Nothing to lift. */
    NOT_UNDER_REVIEW("This reservation is not under review.", true, false),
    /** The resolution contradicts what is known. */
    RESOLUTION_NOT_ALLOWED("This resolution is not possible in the state the reservation is in.", true, false),
    /** An ended reservation owes nothing that could be frozen. */
    ALREADY_ENDED("This reservation has ended; there is nothing to freeze.", false, false),
    /** The mark belongs to its compensation. */
    RESOLVED_AT_COMPENSATION(
            "This reservation waits for its compensation, which the review names; the resolution is made there.",
            true,
            false),
    /** Frozen before it was asked for. */
    UNKNOWN_RESERVATION("No reservation was asked for under this id.", true, false);

    private final String explanation;
    private final boolean retryable;
    private final boolean conflict;

    ReservationRefusal(String explanation, boolean retryable, boolean conflict) {
        this.explanation = explanation;
        this.retryable = retryable;
        this.conflict = conflict;
    }

    @Override
    public String code() {
        return name();
    }

    @Override
    public String explanation() {
        return explanation;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    /** Whether two facts contradict each other, so that the order domain must be told and somebody must look. */
    public boolean conflict() {
        return conflict;
    }

    /** The refusal that a denied hold means. */
    public static ReservationRefusal of(DenialReason reason) {
        return switch (reason) {
            case SHORT -> SOLD_OUT;
            case CLOSED -> POOL_CLOSED;
            case PAUSED -> POOL_PAUSED;
            case FENCED -> FENCED;
            case OTHER_LINE -> OTHER_LINE_NOT_HELD;
        };
    }
}
