package io.holdfast.order.domain;

import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.OrderCreateRequested;

/** What the world outside tells an order or asks of it. */
public sealed interface OrderFact extends OrderCommand {

    /** The hold was admitted: make an order of it. */
    record Create(OrderCreateRequested request) implements OrderFact {}

    /**
     * The business deadline has passed: if there is no order, decide that there will be none. Names the whole request, for the request
     * itself may never have come.
     */
    record Expire(OrderCreateRequested request) implements OrderFact {}

    /** The provider says that a payment for this order succeeded. */
    record PaymentSucceeded(Payment payment) implements OrderFact {}

    /** The buyer begins to pay. */
    record BeginPayment(String paymentId) implements OrderFact {
        /** @throws IllegalArgumentException if the id breaks the rule */
        public BeginPayment {
            Ids.part("payment_id", paymentId);
        }
    }

    /** The order is not wanted any more. */
    record Cancel(CancelReason reason) implements OrderFact {}

    /** Units of the paid order go back. */
    record RequestRefund(OrderRefund refund) implements OrderFact {}
}
