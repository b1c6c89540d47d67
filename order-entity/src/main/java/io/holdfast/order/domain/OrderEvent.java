package io.holdfast.order.domain;

import io.holdfast.order.domain.Order.Intent;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import java.util.Optional;

/** What happened to an order. The records' names and components are the journal's format. */
public sealed interface OrderEvent {

    /** It was asked for, or its deadline passed unasked; the database is to decide. */
    record OrderRequested(OrderCreateRequested request, Intent intent) implements OrderEvent {}

    /** The deadline passed before the database had decided: it is to decide against the order, unless it has decided for it. */
    record DeadlineReached() implements OrderEvent {}

    /** A cancellation came while something is owed that decides about it. */
    record CancelNoted(CancelReason reason) implements OrderEvent {}

    /** The order exists: the database says so. */
    record OrderCreated(Instant createdAt, Instant payBy) implements OrderEvent {}

    /** There will be no order: the database says so. */
    record OrderRejected(RejectReason reason) implements OrderEvent {}

    /** The buyer has begun to pay. */
    record PaymentBegun(String paymentId) implements OrderEvent {}

    /** A payment came. Whether it counts is not decided. */
    record PaymentReceived(Payment payment) implements OrderEvent {}

    /** A payment names an order that nobody asked for yet; it waits for it until then. */
    record OrderAwaited(Instant lookUntil) implements OrderEvent {}

    /** The order did not come: the payments that waited for it go back. */
    record OrderNotFound() implements OrderEvent {}

    /** The order is paid, by this payment: the database says so. */
    record OrderPaid(String paymentId) implements OrderEvent {}

    /** The payment pays nothing and is to go back: the database says so. */
    record PaymentFoundSurplus(String paymentId, SurplusReason reason) implements OrderEvent {}

    /** The payment came after the order was cancelled, and the order is to come back for it, if units can be had. */
    record ReacquireStarted(String paymentId) implements OrderEvent {}

    /** Units are held for that, under this reservation. */
    record HoldTakenAgain(String paymentId, String reservationId) implements OrderEvent {}

    /** The order is back, and paid by this payment: the database says so. Its units are those of this reservation. */
    record OrderReacquired(String paymentId, String reservationId) implements OrderEvent {}

    /**
     * The order stays cancelled, and the payment is to go back.
     *
     * @param reservationId what was held for it and is not needed; empty where nothing is
     * @param reason why, in a word
     */
    record ReacquireFailed(String paymentId, Optional<String> reservationId, String reason) implements OrderEvent {}

    /** It went back. */
    record PaymentGivenBack(String paymentId, String reference) implements OrderEvent {}

    /** The order is to be cancelled, unless it turns out to be paid. */
    record CancelStarted(CancelReason reason) implements OrderEvent {}

    /** The database has marked it so. */
    record CancelMarked() implements OrderEvent {}

    /** The provider says that it is not paid and can't be any more. */
    record PaymentClosed() implements OrderEvent {}

    /** It is cancelled and its units are back: the database says so. */
    record OrderCancelled(Instant at) implements OrderEvent {}

    /** A refund came while another is carried out. */
    record RefundNoted(OrderRefund refund) implements OrderEvent {}

    /** Units and money are to go back. */
    record RefundStarted(OrderRefund refund) implements OrderEvent {}

    /** They went back. */
    record OrderRefunded(OrderRefund refund, String reference) implements OrderEvent {}

    /** Under review: a fact came that can only be decided when the mark is lifted. */
    record FactNoted(OrderFact fact) implements OrderEvent {}

    /** A person must look; nothing is owed until then. */
    record ReviewOpened(Review review) implements OrderEvent {}

    /** A person has decided. */
    record ReviewLifted(Resolution resolution, String reason) implements OrderEvent {}

    /** Of an order that has ended or is marked already: something came under a known id with other content. It moved nothing. */
    record ContradictionNoticed(String id) implements OrderEvent {}
}
