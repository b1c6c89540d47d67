package io.holdfast.order.domain;

/** What a person decides about an order under review. */
public sealed interface Resolution {

    /** The kept state stands; what it owes goes on. */
    record Continue() implements Resolution {}

    /**
     * Money that the order owes to give back went back by other means: the provider is not asked for it again, the rest is done.
     *
     * @param operationId the owed operation
     * @param reference proof of it, for the books
     */
    record SettledOutside(String operationId, String reference) implements Resolution {}
}
