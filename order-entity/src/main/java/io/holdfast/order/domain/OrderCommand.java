package io.holdfast.order.domain;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What an order can be told: {@link OrderFact facts}, outcomes of what it owed, orders of a person. */
public sealed interface OrderCommand
        permits OrderFact,
                OrderCommand.CreationAnswered,
                OrderCommand.PaymentAnswered,
                OrderCommand.HoldAnswered,
                OrderCommand.ReacquireAnswered,
                OrderCommand.PaymentReturned,
                OrderCommand.MarkAnswered,
                OrderCommand.CloseAnswered,
                OrderCommand.CancelAnswered,
                OrderCommand.RefundAnswered,
                OrderCommand.ContradictionFound,
                OrderCommand.WakeUp,
                OrderCommand.Contradicted,
                OrderCommand.Freeze,
                OrderCommand.Lift {

    /** The database has decided whether there is an order. */
    record CreationAnswered(CreationAnswer answer) implements OrderCommand {}

    /** What it decided. */
    sealed interface CreationAnswer {

        /** There is; times by the database's clock. */
        record Made(Instant createdAt, Instant payBy) implements CreationAnswer {}

        /** There will be none. */
        record Turned(RejectReason reason) implements CreationAnswer {}
    }

    /** The database has decided what the payment of this id is. */
    record PaymentAnswered(String paymentId, PaymentAnswer answer) implements OrderCommand {}

    /** What it decided. */
    sealed interface PaymentAnswer {

        /** It pays the order. */
        record Settles() implements PaymentAnswer {}

        /** It pays nothing. */
        record IsSurplus(SurplusReason reason) implements PaymentAnswer {}
    }

    /** Whether units could be held anew for the payment of this id. */
    record HoldAnswered(String paymentId, HoldAnswer answer) implements OrderCommand {}

    /** What came of asking for units. */
    sealed interface HoldAnswer {

        /** They are held, under this reservation. */
        record Held(String reservationId) implements HoldAnswer {}

        /**
         * They are not and will not be.
         *
         * @param reason the reservation's, in a word
         */
        record NotHeld(String reason) implements HoldAnswer {}
    }

    /** The database has decided whether the order comes back for the payment of this id. */
    record ReacquireAnswered(String paymentId, ReacquireAnswer answer) implements OrderCommand {}

    /** What it decided. */
    sealed interface ReacquireAnswer {

        /** It is back, and paid. */
        record Taken() implements ReacquireAnswer {}

        /** It stays cancelled. */
        record Turned(RejectReason reason) implements ReacquireAnswer {}
    }

    /** A payment that paid nothing is back with the buyer, and that is on record. */
    record PaymentReturned(String paymentId, String reference) implements OrderCommand {}

    /**
     * The order is marked as being cancelled, or was paid before.
     *
     * @param paidBy the payment that paid it; empty when it is marked
     */
    record MarkAnswered(Optional<String> paidBy) implements OrderCommand {}

    /**
     * The provider has answered whether the order was paid.
     *
     * @param payment the payment; empty when there is none, and none can come any more
     */
    record CloseAnswered(Optional<Payment> payment) implements OrderCommand {}

    /** The database has decided on the cancellation. */
    record CancelAnswered(CancelAnswer answer) implements OrderCommand {}

    /** What it decided. */
    sealed interface CancelAnswer {

        /** Cancelled, and the units are back. */
        record Done(Instant at) implements CancelAnswer {}

        /** Not cancelled: this payment had paid it. */
        record FoundPaid(String paymentId) implements CancelAnswer {}
    }

    /** The money of the refund of this id is back with the buyer, and money and units are on record. */
    record RefundAnswered(String refundId, String reference) implements OrderCommand {}

    /**
     * What the database or the provider says contradicts the journal: nothing moved.
     *
     * @param operationId the operation that was answered so
     * @param answer in a word
     * @param evidence what else was seen
     */
    record ContradictionFound(String operationId, String answer, Map<String, String> evidence) implements OrderCommand {
        public ContradictionFound {
            evidence = Map.copyOf(evidence);
        }
    }

    /** The time the state waits for may have come. */
    record WakeUp() implements OrderCommand {}

    /** An event came under a known cause id with other content. */
    record Contradicted(String causeId) implements OrderCommand {}

    /** A person sets the review mark. */
    record Freeze(String reason) implements OrderCommand {}

    /** A person lifts the review mark. */
    record Lift(Resolution resolution, String reason) implements OrderCommand {}
}
