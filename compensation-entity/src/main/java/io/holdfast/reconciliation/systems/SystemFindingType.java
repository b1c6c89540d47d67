package io.holdfast.reconciliation.systems;

/** Kinds of differences between systems. The names are part of the API. */
public enum SystemFindingType {
    /** The order exists, and its hold still waits for news of it. */
    ORDER_UNKNOWN_TO_HOLD("The order exists; its reservation has not heard of it."),
    /** The order was rejected, and its units are still held. */
    REJECTED_ORDER_HELD("The order was rejected; its units are still held."),
    /** The order was cancelled or refunded, and its units are still held or sold. */
    ENDED_ORDER_HELD("The order was cancelled or refunded; its units have not gone back."),
    /** The order is paid, and its units went back. */
    PAID_ORDER_GIVEN_BACK("The order is paid; its units went back."),
    /** The order is live, and its units went back. */
    LIVE_ORDER_GIVEN_BACK("The order is live and not paid; its units went back."),
    /** The order was rejected, and its units are sold. */
    REJECTED_ORDER_SOLD("The order was rejected; its units are sold."),
    /** There is an order, and no journal knows of a hold. */
    ORDER_WITHOUT_HOLD("There is an order, and no reservation of it."),
    /** Order and reservation have refunded different quantities. */
    REFUNDS_DIFFER("The order and its reservation have different quantities refunded."),
    /** The reservation is on its way to where its order is. */
    UNDER_WAY("The reservation is on its way to where its order is."),
    /** A payment settled an order that is not paid by it. */
    PAYMENT_OF_UNPAID_ORDER("A payment counts as settled; its order is not paid by it."),
    /** An order is paid, and there is no such payment. */
    PAID_WITHOUT_PAYMENT("The order is paid; there is no record of that payment."),
    /** Money that came too much has not gone back. */
    SURPLUS_NOT_RETURNED("A payment is to go back and has not yet."),
    /** Final stock is not what its orders come to. */
    FINAL_STOCK_DIFFERS("The sale's final stock is not what its orders come to.");

    private final String explanation;

    SystemFindingType(String explanation) {
        this.explanation = explanation;
    }

    /** What it means, in one sentence for people. */
    public String explanation() {
        return explanation;
    }
}
