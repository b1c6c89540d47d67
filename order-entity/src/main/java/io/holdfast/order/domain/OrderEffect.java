package io.holdfast.order.domain;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.util.Optional;

/** What an order may owe: decisions of the database, and answers of the payment provider. */
public sealed interface OrderEffect extends Effect {

    /** The order it is about. */
    String orderId();

    /** Has the database decide whether there is an order: takes the final stock and makes it. */
    record CreateOrder(OrderCreateRequested request, Duration payWithin, RetryPolicy retry) implements OrderEffect {
        @Override
        public String orderId() {
            return request.reservationId();
        }

        @Override
        public String operationId() {
            return "CREATE:" + orderId();
        }

        @Override
        public String name() {
            return "create-order";
        }
    }

    /** Has the database decide that there is none, unless it has decided otherwise: the deadline has passed. */
    record RejectOverdue(OrderCreateRequested request, RetryPolicy retry) implements OrderEffect {
        @Override
        public String orderId() {
            return request.reservationId();
        }

        @Override
        public String operationId() {
            return "EXPIRE:" + orderId();
        }

        @Override
        public String name() {
            return "reject-overdue";
        }
    }

    /** Has the database decide what a payment is: it pays the order, or nothing. */
    record RecordPayment(String orderId, Payment payment, RetryPolicy retry) implements OrderEffect {
        @Override
        public String operationId() {
            return "PAYMENT:" + payment.paymentId();
        }

        @Override
        public String name() {
            return "record-payment";
        }
    }

    /** Holds units anew for an order that was cancelled before this payment came: journal first, under an id of its own. */
    record HoldAgain(OrderCreateRequested request, String paymentId, RetryPolicy retry) implements OrderEffect {
        @Override
        public String orderId() {
            return request.reservationId();
        }

        @Override
        public String operationId() {
            return "HOLD:" + paymentId;
        }

        @Override
        public String name() {
            return "hold-again";
        }
    }

    /**
     * Has the database decide whether the cancelled order comes back: takes the final stock again and makes it paid.
     *
     * @param reservationId what holds its units
     */
    record ReacquireOrder(String orderId, Payment payment, String reservationId, RetryPolicy retry)
            implements OrderEffect {
        @Override
        public String operationId() {
            return "REACQUIRE:" + payment.paymentId();
        }

        @Override
        public String name() {
            return "reacquire-order";
        }
    }

    /**
     * Gives a payment back that pays nothing, and puts that on record.
     *
     * @param settledOutside proof that it went back by other means: the provider is not asked
     */
    record ReturnPayment(String orderId, Payment payment, Optional<String> settledOutside, RetryPolicy retry)
            implements OrderEffect {
        @Override
        public String operationId() {
            return "RETURN:" + payment.paymentId();
        }

        @Override
        public String name() {
            return "return-payment";
        }
    }

    /** Marks the order in the database as being cancelled, unless it is paid. */
    record MarkCancelPending(String orderId, RetryPolicy retry) implements OrderEffect {
        @Override
        public String operationId() {
            return "MARK:" + orderId;
        }

        @Override
        public String name() {
            return "mark-cancel-pending";
        }
    }

    /** Asks the provider whether the order is paid, and to let no payment come any more if it is not. */
    record ClosePayment(String orderId, RetryPolicy retry) implements OrderEffect {
        @Override
        public String operationId() {
            return "CLOSE:" + orderId;
        }

        @Override
        public String name() {
            return "close-payment";
        }
    }

    /** Cancels the order in the database and returns its units, unless a payment that counts is on record. */
    record CancelOrder(String orderId, RetryPolicy retry) implements OrderEffect {
        @Override
        public String operationId() {
            return "CANCEL:" + orderId;
        }

        @Override
        public String name() {
            return "cancel-order";
        }
    }

    /**
     * Gives money of the order's payment back, and puts money and units on record.
     *
     * @param payment the one that paid the order
     * @param settledOutside proof that the money went back by other means: the provider is not asked
     */
    record RefundOrder(
            String orderId, OrderRefund refund, Payment payment, Optional<String> settledOutside, RetryPolicy retry)
            implements OrderEffect {
        @Override
        public String operationId() {
            return "REFUND:" + orderId + ":" + refund.refundId();
        }

        @Override
        public String name() {
            return "refund-order";
        }
    }
}
