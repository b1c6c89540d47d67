package io.holdfast.reservation.domain;

import java.util.Optional;

/**
 * Why a reservation is cancelled.
 *
 * @param cause the fact that did it
 * @param orderId the order it was about; empty where that is not known: units went back before the request and no order was named
 * @param reason as the order domain or the person gave it
 */
public record Cancellation(Cause cause, Optional<String> orderId, String reason) {

    /** The fact that cancels. */
    public enum Cause {
        /** The order never existed. */
        ORDER_CREATED_FAILED,
        /** Before anything was held: the order had existed and was cancelled. */
        ORDER_CANCELED,
        /** Before anything was held: units of an order that had existed were given back. */
        REFUND_REQUESTED,
        /** A person declared it. */
        OPERATOR,
        /** Redis lost the admission before it was ever confirmed to its journal, and others have its units. No order was asked for. */
        ADMISSION_LOST
    }

    /** Whether the order had been created. */
    public boolean afterCreation() {
        return switch (cause) {
            case ORDER_CANCELED, REFUND_REQUESTED -> true;
            case ORDER_CREATED_FAILED, OPERATOR, ADMISSION_LOST -> false;
        };
    }
}
