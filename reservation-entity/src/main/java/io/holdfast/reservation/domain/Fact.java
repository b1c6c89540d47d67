package io.holdfast.reservation.domain;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the order domain says about the order. Kept in order of arrival while an effect is owed, and decided when its outcome is known.
 */
public sealed interface Fact extends ReservationCommand {

    /** The order it names; empty means whichever order the reservation is known to be of. */
    Optional<String> order();

    /** The same fact with this order named, unless it names one itself. */
    default Fact ofOrder(String known) {
        return this;
    }

    /**
     * The order exists.
     *
     * @param orderId which
     * @param quantity units it wants, when fewer than were held; empty means all of them
     */
    record OrderCreated(String orderId, OptionalLong quantity) implements Fact {
        /** @throws IllegalArgumentException if the id breaks the rule, or a quantity is given that is not 1 to 2^53 - 1 */
        public OrderCreated {
            Ids.part("order_id", orderId);
            quantity.ifPresent(units -> Ids.positive("quantity", units));
        }

        /** The order wants all that was held. */
        public static OrderCreated whole(String orderId) {
            return new OrderCreated(orderId, OptionalLong.empty());
        }

        @Override
        public Optional<String> order() {
            return Optional.of(orderId);
        }
    }

    /**
     * The order will never exist.
     *
     * @param orderId which
     * @param reason as the order domain gives it
     */
    record OrderCreatedFailed(String orderId, String reason) implements Fact {
        /** @throws IllegalArgumentException if the id breaks the rule */
        public OrderCreatedFailed {
            Ids.part("order_id", orderId);
        }

        @Override
        public Optional<String> order() {
            return Optional.of(orderId);
        }
    }

    /**
     * The order existed and was cancelled: all that is left goes back. Implies that it had been created.
     *
     * @param orderId which; empty means the reservation's own
     * @param reason as the order domain gives it
     */
    record OrderCanceled(Optional<String> orderId, String reason) implements Fact {
        /** @throws IllegalArgumentException if the id breaks the rule */
        public OrderCanceled {
            orderId.ifPresent(id -> Ids.part("order_id", id));
        }

        @Override
        public Optional<String> order() {
            return orderId;
        }

        @Override
        public Fact ofOrder(String known) {
            return orderId.isPresent() ? this : new OrderCanceled(Optional.of(known), reason);
        }
    }

    /**
     * Units of the order go back. Implies that it had been created.
     *
     * @param orderId which; empty means the reservation's own
     * @param refundId unique within the reservation
     * @param quantity units, at least 1
     * @param restock whether they become available again
     */
    record RefundRequested(Optional<String> orderId, String refundId, long quantity, boolean restock) implements Fact {
        /** @throws IllegalArgumentException if the quantity or an id breaks the rule, or the refund's id is one of our own */
        public RefundRequested {
            orderId.ifPresent(id -> Ids.part("order_id", id));
            Ids.part("refund_id", refundId);
            Ids.positive("quantity", quantity);
            if (Refund.isReserved(refundId)) {
                throw new IllegalArgumentException("refund_id " + refundId + " is reserved");
            }
        }

        @Override
        public Optional<String> order() {
            return orderId;
        }

        @Override
        public Fact ofOrder(String known) {
            return orderId.isPresent() ? this : new RefundRequested(Optional.of(known), refundId, quantity, restock);
        }

        /** The refund this asks for. */
        public Refund refund() {
            return new Refund(refundId, quantity, restock);
        }
    }
}
