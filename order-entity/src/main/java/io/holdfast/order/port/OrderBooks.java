package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The books of the built-in order service: orders, payments, final stock and its ledger. Each call is one decision. It is made once, by
 * whoever comes first, with everything that belongs to it or not at all; whoever asks again is told what was decided, in full.
 *
 * <p>{@link Outcome.Unknown} means that it may be decided: ask again. The same call then waits for whatever of the first is still under way.
 */
public interface OrderBooks {

    /**
     * Decides whether there is an order: units of the final stock are taken for it, unless there are too few or the buyer has a live order
     * of the item. Unavailable while the sale has no final stock set out.
     *
     * @param payWithin how long the order waits for its payment, from its creation
     */
    CompletionStage<Outcome<BookAnswer<CreationAnswer>>> create(OrderCreateRequested request, Duration payWithin);

    /** Decides that there is no order because its deadline has passed, unless it is decided already. */
    CompletionStage<Outcome<BookAnswer<CreationAnswer>>> rejectOverdue(OrderCreateRequested request);

    /** Decides what a payment is: it pays the order if that is open, else it pays nothing. */
    CompletionStage<Outcome<BookAnswer<PaymentAnswer>>> recordPayment(String orderId, Payment payment);

    /**
     * Decides whether a cancelled order comes back for a payment that came too late: units of the final stock are taken for it again and it
     * is paid, unless there are too few or the buyer has another live order of the item. Decided once per payment.
     *
     * @param reservationId what holds its units now
     */
    CompletionStage<Outcome<BookAnswer<ReacquireAnswer>>> reacquire(
            String orderId, Payment payment, String reservationId);

    /**
     * Puts on record that a payment that paid nothing went back.
     *
     * @param reference the provider's name for it, or what a person named
     * @return the reference on record
     */
    CompletionStage<Outcome<BookAnswer<String>>> recordReturn(String orderId, Payment payment, String reference);

    /**
     * Marks an order as being cancelled, unless it is paid.
     *
     * @return the payment that paid it; empty when it is marked, or was cancelled
     */
    CompletionStage<Outcome<BookAnswer<Optional<String>>>> markCancelPending(String orderId);

    /** Cancels an order that is marked, and returns its units, unless a payment that counts is on record. */
    CompletionStage<Outcome<BookAnswer<CancelAnswer>>> cancel(String orderId);

    /**
     * Puts on record that units and money of a paid order went back; the units can be sold again where the refund says so.
     *
     * @param payment the one that paid the order
     * @param reference the provider's name for it, or what a person named
     * @return the reference on record
     */
    CompletionStage<Outcome<BookAnswer<String>>> recordRefund(
            String orderId, OrderRefund refund, Payment payment, String reference);
}
