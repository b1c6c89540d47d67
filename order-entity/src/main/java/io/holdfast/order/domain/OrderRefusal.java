package io.holdfast.order.domain;

import io.holdfast.engine.machine.Refusal;

/** Why an order says no. The names are part of the API. */
public enum OrderRefusal implements Refusal {
    /** Nobody asked for it. */
    UNKNOWN_ORDER("No order was asked for under this id.", true),
    /** Known with other content, or addressed to another order. */
    OTHER_CONTENT("This order is known with other content; nothing was changed.", false),
    /** The sale had too few units. */
    OUT_OF_FINAL_STOCK("The sale had fewer units left than were asked for; there is no order.", false),
    /** The buyer has a live order. */
    DUPLICATE_BUYER("The buyer has another live order of this item; there is no order.", false),
    /** Asked for only after it was decided that it is too late. */
    LATE_REJECTED("The deadline was decided on before this request came; there is no order.", false),
    /** The deadline is still to come. */
    DEADLINE_NOT_REACHED("The business deadline has not passed.", true),
    /** Too late to expire. */
    ALREADY_CREATED("The order exists, so its deadline is of no account.", false),
    /** There is no order to pay, cancel or refund. */
    WAS_REJECTED("The order was rejected; there is nothing to pay, cancel or refund.", false),
    /** Nothing is decided yet. */
    NOT_CREATED_YET("The order is not decided yet; ask again.", true),
    /** A cancellation is under way. */
    CANCEL_IN_PROGRESS("The order is being cancelled.", true),
    /** It was cancelled. */
    WAS_CANCELLED("The order was cancelled.", false),
    /** It was paid: it can be refunded, not cancelled or paid again. */
    ALREADY_PAID("The order is paid; it can only be refunded.", false),
    /** A refund of what is not paid. */
    NOT_PAID("The order is not paid.", true),
    /** More is to go back than is left. */
    REFUND_EXCEEDS("The refund names more units or more money than are left.", false),
    /** Same refund, other content. */
    REFUND_ID_REUSED("This refund id was used with other content; nothing was changed.", false),
    /** Money of another kind than was paid. */
    REFUND_CURRENCY("The refund is in another currency than the payment.", false),
    /** More payments than an order remembers. */
    TOO_MANY_PAYMENTS("So many payments were made for this order that it takes no more.", false),
    /** More refunds than an order remembers. */
    TOO_MANY_REFUNDS("So many refunds were made of this order that it takes no more.", false),
    /** A person must look first. */
    UNDER_REVIEW("This order is under review; ask again when the review is over.", true),
    /** Nothing to lift. */
    NOT_UNDER_REVIEW("This order is not under review.", true),
    /** The resolution contradicts what is known. */
    RESOLUTION_NOT_ALLOWED("This resolution is not possible in the state the order is in.", true),
    /** Nothing to freeze. */
    ALREADY_ENDED("This order has ended and owes nothing; there is nothing to freeze.", false);

    private final String explanation;
    private final boolean retryable;

    OrderRefusal(String explanation, boolean retryable) {
        this.explanation = explanation;
        this.retryable = retryable;
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

    /** What whoever asks for a rejected order is told. */
    static OrderRefusal of(RejectReason reason) {
        return switch (reason) {
            case OUT_OF_FINAL_STOCK -> OUT_OF_FINAL_STOCK;
            case DUPLICATE_BUYER -> DUPLICATE_BUYER;
            case BUSINESS_DEADLINE_EXCEEDED -> LATE_REJECTED;
        };
    }
}
