package io.holdfast.reservation.domain;

/**
 * How a hold came in by the gate, and how far its order has been asked for since.
 *
 * @param order what the order service is asked for; the same, under the same id, however often it is sent
 * @param stage how far that is
 */
public record Admission(OrderCreateRequested order, Stage stage) {

    /** How far. */
    public enum Stage {
        /**
         * Redis listed it among those to hand over; owes to have it taken off. Provisional: that its fence is there has not been confirmed
         * since it was journaled.
         */
        LISTED,
        /** It is off the list, and its fence was there; owes the message to the order service. */
        HANDED_OFF,
        /** The broker has the message, at least once. */
        REQUESTED
    }

    Admission at(Stage later) {
        return new Admission(order, later);
    }
}
