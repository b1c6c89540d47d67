package io.holdfast.order.domain;

import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One order of the built-in order service: its states. Beside each state stand the payments that were made for it. */
public sealed interface Order {

    /** Order id, which is the reservation id. */
    String id();

    /** The status as shown: the state's name, or that a person must look. */
    Status status();

    /** The payments made for it. */
    PaymentBook payments();

    /** What everybody calls the states. */
    enum Status {
        NONE,
        REQUESTED,
        CREATED,
        PAYING,
        PAID,
        CANCEL_PENDING,
        CANCELLED,
        REFUNDING,
        REFUNDED,
        REJECTED,
        MANUAL_REVIEW
    }

    /** A state without the review mark. */
    sealed interface Unmarked extends Order {}

    /** A state that knows what was asked for. */
    sealed interface Asked extends Unmarked {
        /** What was asked for. */
        OrderCreateRequested request();

        @Override
        default String id() {
            return request().reservationId();
        }
    }

    /** A state of an order that exists, or did. */
    sealed interface Existing extends Asked {
        /** As it was created. */
        Placed placed();

        @Override
        default OrderCreateRequested request() {
            return placed().request();
        }
    }

    /** A state in which the order is paid, or was. */
    sealed interface Bought extends Existing {
        /** How, and what of it went back. */
        Purchase purchase();
    }

    /**
     * The order as the database created it.
     *
     * @param request what was asked for
     * @param createdAt by the database's clock
     * @param payBy when its cancellation begins, unless it is paid
     */
    record Placed(OrderCreateRequested request, Instant createdAt, Instant payBy) {}

    /**
     * How an order was paid, and what of it went back since.
     *
     * @param paymentId the payment that paid it
     * @param refunds done, in order
     * @param reacquired the reservation its units were taken anew under, where it had been cancelled before
     */
    record Purchase(String paymentId, List<OrderRefund> refunds, Optional<String> reacquired) {
        public Purchase {
            refunds = List.copyOf(refunds);
        }

        /** Of an order that was paid in time. */
        public Purchase(String paymentId, List<OrderRefund> refunds) {
            this(paymentId, refunds, Optional.empty());
        }

        Purchase and(OrderRefund refund) {
            List<OrderRefund> more = new ArrayList<>(refunds);
            more.add(refund);
            return new Purchase(paymentId, more, reacquired);
        }
    }

    /**
     * Nobody asked for it yet.
     *
     * @param lookUntil until when payments that came wait for it; empty when none did
     * @param unclaimed whether that wait is over: the payments go back
     */
    record None(String id, PaymentBook payments, Optional<Instant> lookUntil, boolean unclaimed) implements Unmarked {
        @Override
        public Status status() {
            return Status.NONE;
        }
    }

    /** What the database is asked to decide. */
    enum Intent {
        /** That the order exists. */
        CREATE,
        /** That it never will: the business deadline has passed. */
        REJECT_OVERDUE
    }

    /**
     * Asked for; owes the decision of the database.
     *
     * @param cancel a cancellation that waits for it
     */
    record Requested(OrderCreateRequested request, Intent intent, Optional<CancelReason> cancel, PaymentBook payments)
            implements Asked {
        @Override
        public Status status() {
            return Status.REQUESTED;
        }
    }

    /**
     * The order exists and is not paid.
     *
     * @param cancel a cancellation that waits for what becomes of a payment
     */
    record Created(Placed placed, Optional<CancelReason> cancel, PaymentBook payments) implements Existing {
        @Override
        public Status status() {
            return Status.CREATED;
        }
    }

    /**
     * The buyer has begun to pay.
     *
     * @param begun payments begun, each once, in order
     * @param cancel a cancellation that waits for what becomes of a payment
     */
    record Paying(Placed placed, List<String> begun, Optional<CancelReason> cancel, PaymentBook payments)
            implements Existing {
        public Paying {
            begun = List.copyOf(begun);
        }

        @Override
        public Status status() {
            return Status.PAYING;
        }
    }

    /** How far a cancellation is. */
    enum CancelStep {
        /** The database is to mark the order. */
        MARK,
        /** The provider is to say whether it was paid, and to let no payment come any more. */
        CLOSE,
        /** The database is to cancel it. */
        CANCEL
    }

    /** It is being cancelled; owes the next step, unless a payment comes in between. */
    record CancelPending(Placed placed, CancelReason reason, CancelStep step, PaymentBook payments)
            implements Existing {
        @Override
        public Status status() {
            return Status.CANCEL_PENDING;
        }
    }

    /** It was cancelled and its units went back. */
    record Cancelled(Placed placed, CancelReason reason, Instant cancelledAt, PaymentBook payments)
            implements Existing {
        @Override
        public Status status() {
            return Status.CANCELLED;
        }
    }

    /** There is no order and will be none. */
    record Rejected(OrderCreateRequested request, RejectReason reason, PaymentBook payments) implements Asked {
        @Override
        public Status status() {
            return Status.REJECTED;
        }
    }

    /** It is paid. */
    record Paid(Placed placed, Purchase purchase, PaymentBook payments) implements Bought {
        @Override
        public Status status() {
            return Status.PAID;
        }
    }

    /**
     * Units of it go back; owes that.
     *
     * @param refund the one being carried out
     * @param settledOutside what a person named as proof that the money went back by other means
     * @param noted refunds that wait for it
     */
    record Refunding(
            Placed placed,
            Purchase purchase,
            OrderRefund refund,
            Optional<String> settledOutside,
            List<OrderRefund> noted,
            PaymentBook payments)
            implements Bought {
        public Refunding {
            noted = List.copyOf(noted);
        }

        @Override
        public Status status() {
            return Status.REFUNDING;
        }
    }

    /** All of it went back. */
    record Refunded(Placed placed, Purchase purchase, PaymentBook payments) implements Bought {
        @Override
        public Status status() {
            return Status.REFUNDED;
        }
    }

    /**
     * The review mark beside a state: it owes nothing until a person lifts the mark.
     *
     * @param state the kept state
     * @param noted facts that came since and wait
     */
    record UnderReview(Unmarked state, Review review, List<OrderFact> noted) implements Order {
        public UnderReview {
            noted = List.copyOf(noted);
        }

        @Override
        public String id() {
            return state.id();
        }

        @Override
        public Status status() {
            return Status.MANUAL_REVIEW;
        }

        @Override
        public PaymentBook payments() {
            return state.payments();
        }
    }

    /** The state without its mark. */
    default Unmarked unmarked() {
        return switch (this) {
            case UnderReview marked -> marked.state();
            case Unmarked state -> state;
        };
    }

    /** The reservation that has its units: of the same id, unless they were taken anew for a late payment. */
    default String holdId() {
        return unmarked() instanceof Bought bought
                ? bought.purchase().reacquired().orElse(id())
                : id();
    }

    /** What was asked for, once it has been. */
    default Optional<OrderCreateRequested> asked() {
        return unmarked() instanceof Asked asked ? Optional.of(asked.request()) : Optional.empty();
    }
}
