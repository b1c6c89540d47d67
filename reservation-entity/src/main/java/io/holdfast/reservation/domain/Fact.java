package io.holdfast.reservation.domain;

import java.util.OptionalLong;

/**
 * What the order domain says about the order. Kept in order of arrival while an effect is owed, and decided when its outcome is known.
 */
public sealed interface Fact extends ReservationCommand {

    /**
     * The order exists.
     *
     * @param quantity units it wants, when fewer than were held; empty means all of them
     */
    record OrderCreated(OptionalLong quantity) implements Fact {
        /** @throws IllegalArgumentException if a quantity is given that is not 1 to 2^53 - 1 */
        public OrderCreated {
            quantity.ifPresent(units -> Ids.positive("quantity", units));
        }

        /** The order wants all that was held. */
        public static OrderCreated whole() {
            return new OrderCreated(OptionalLong.empty());
        }
    }

    /**
     * The order will never exist.
     *
     * @param reason as the order domain gives it
     */
    record OrderCreatedFailed(String reason) implements Fact {}

    /**
     * The order existed and was cancelled: all that is left goes back. Implies that it had been created.
     *
     * @param reason as the order domain gives it
     */
    record OrderCanceled(String reason) implements Fact {}

    /**
     * Units of the order go back. Implies that it had been created.
     *
     * @param refundId unique within the reservation
     * @param quantity units, at least 1
     * @param restock whether they become available again
     */
    record RefundRequested(String refundId, long quantity, boolean restock) implements Fact {
        /** @throws IllegalArgumentException if the quantity or the id breaks the rule, or the id is one of our own */
        public RefundRequested {
            Ids.part("refund_id", refundId);
            Ids.positive("quantity", quantity);
            if (Refund.isReserved(refundId)) {
                throw new IllegalArgumentException("refund_id " + refundId + " is reserved");
            }
        }

        /** The refund this asks for. */
        public Refund refund() {
            return new Refund(refundId, quantity, restock);
        }
    }
}
