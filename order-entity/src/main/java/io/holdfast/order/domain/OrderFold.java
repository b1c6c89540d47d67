package io.holdfast.order.domain;

import io.holdfast.order.domain.Order.Asked;
import io.holdfast.order.domain.Order.Bought;
import io.holdfast.order.domain.Order.CancelPending;
import io.holdfast.order.domain.Order.CancelStep;
import io.holdfast.order.domain.Order.Cancelled;
import io.holdfast.order.domain.Order.Created;
import io.holdfast.order.domain.Order.Existing;
import io.holdfast.order.domain.Order.Intent;
import io.holdfast.order.domain.Order.None;
import io.holdfast.order.domain.Order.Paid;
import io.holdfast.order.domain.Order.Paying;
import io.holdfast.order.domain.Order.Placed;
import io.holdfast.order.domain.Order.Purchase;
import io.holdfast.order.domain.Order.Refunded;
import io.holdfast.order.domain.Order.Refunding;
import io.holdfast.order.domain.Order.Rejected;
import io.holdfast.order.domain.Order.Requested;
import io.holdfast.order.domain.Order.UnderReview;
import io.holdfast.order.domain.Order.Unmarked;
import io.holdfast.order.domain.OrderEvent.CancelMarked;
import io.holdfast.order.domain.OrderEvent.CancelNoted;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.ContradictionNoticed;
import io.holdfast.order.domain.OrderEvent.DeadlineReached;
import io.holdfast.order.domain.OrderEvent.FactNoted;
import io.holdfast.order.domain.OrderEvent.HoldTakenAgain;
import io.holdfast.order.domain.OrderEvent.OrderAwaited;
import io.holdfast.order.domain.OrderEvent.OrderCancelled;
import io.holdfast.order.domain.OrderEvent.OrderCreated;
import io.holdfast.order.domain.OrderEvent.OrderNotFound;
import io.holdfast.order.domain.OrderEvent.OrderPaid;
import io.holdfast.order.domain.OrderEvent.OrderReacquired;
import io.holdfast.order.domain.OrderEvent.OrderRefunded;
import io.holdfast.order.domain.OrderEvent.OrderRejected;
import io.holdfast.order.domain.OrderEvent.OrderRequested;
import io.holdfast.order.domain.OrderEvent.PaymentBegun;
import io.holdfast.order.domain.OrderEvent.PaymentClosed;
import io.holdfast.order.domain.OrderEvent.PaymentFoundSurplus;
import io.holdfast.order.domain.OrderEvent.PaymentGivenBack;
import io.holdfast.order.domain.OrderEvent.PaymentReceived;
import io.holdfast.order.domain.OrderEvent.ReacquireFailed;
import io.holdfast.order.domain.OrderEvent.ReacquireStarted;
import io.holdfast.order.domain.OrderEvent.RefundNoted;
import io.holdfast.order.domain.OrderEvent.RefundStarted;
import io.holdfast.order.domain.OrderEvent.ReviewLifted;
import io.holdfast.order.domain.OrderEvent.ReviewOpened;
import io.holdfast.order.domain.PaymentBook.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the events of an order add up to. */
final class OrderFold {

    private OrderFold() {}

    /** The state after an event. An event that this machine can't have journaled in this state is a broken invariant. */
    static Order evolve(Order state, OrderEvent event) {
        return switch (state) {
            case UnderReview marked ->
                switch (event) {
                    case FactNoted(OrderFact fact) ->
                        new UnderReview(marked.state(), marked.review(), with(marked.noted(), fact));
                    case ContradictionNoticed _ -> marked;
                    case ReviewLifted(Resolution resolution, var _) -> lifted(marked.state(), resolution);
                    // What comes by itself is kept beside the mark.
                    case PaymentReceived _, OrderAwaited _ ->
                        new UnderReview(evolvePlain(marked.state(), event), marked.review(), marked.noted());
                    case OrderRequested _,
                            DeadlineReached _,
                            CancelNoted _,
                            OrderCreated _,
                            OrderRejected _,
                            PaymentBegun _,
                            OrderNotFound _,
                            OrderPaid _,
                            PaymentFoundSurplus _,
                            ReacquireStarted _,
                            HoldTakenAgain _,
                            OrderReacquired _,
                            ReacquireFailed _,
                            PaymentGivenBack _,
                            CancelStarted _,
                            CancelMarked _,
                            PaymentClosed _,
                            OrderCancelled _,
                            RefundNoted _,
                            RefundStarted _,
                            OrderRefunded _,
                            ReviewOpened _ -> throw impossible(state, event);
                };
            case Unmarked plain ->
                event instanceof ReviewOpened(Review review)
                        ? new UnderReview(plain, review, List.of())
                        : evolvePlain(plain, event);
        };
    }

    private static Unmarked evolvePlain(Unmarked state, OrderEvent event) {
        PaymentBook payments = state.payments();
        return switch (event) {
            case OrderRequested(var request, Intent intent)
            when state instanceof None -> new Requested(request, intent, Optional.empty(), payments);
            case DeadlineReached()
            when state instanceof Requested s ->
                new Requested(s.request(), Intent.REJECT_OVERDUE, s.cancel(), payments);
            case CancelNoted(CancelReason reason)
            when state instanceof Requested s -> new Requested(s.request(), s.intent(), Optional.of(reason), payments);
            case CancelNoted(CancelReason reason)
            when state instanceof Created s -> new Created(s.placed(), Optional.of(reason), payments);
            case CancelNoted(CancelReason reason)
            when state instanceof Paying s -> new Paying(s.placed(), s.begun(), Optional.of(reason), payments);
            case OrderCreated(Instant createdAt, Instant payBy)
            when state instanceof Requested s ->
                new Created(new Placed(s.request(), createdAt, payBy), s.cancel(), payments);
            case OrderRejected(RejectReason reason)
            when state instanceof Requested s -> new Rejected(s.request(), reason, payments);
            case PaymentBegun(String paymentId)
            when state instanceof Created s -> new Paying(s.placed(), List.of(paymentId), s.cancel(), payments);
            case PaymentBegun(String paymentId)
            when state instanceof Paying s -> new Paying(s.placed(), with(s.begun(), paymentId), s.cancel(), payments);
            case PaymentReceived(Payment payment) -> withPayments(state, payments.received(payment));
            case OrderAwaited(Instant lookUntil)
            when state instanceof None s -> new None(s.id(), payments, Optional.of(lookUntil), false);
            case OrderNotFound() when state instanceof None s -> new None(s.id(), payments, s.lookUntil(), true);
            case OrderPaid(String paymentId)
            when isUnpaid(state) ->
                new Paid(
                        ((Existing) state).placed(),
                        new Purchase(paymentId, List.of()),
                        payments.with(paymentId, new Standing.Settled()));
            case PaymentFoundSurplus(String paymentId, SurplusReason reason) ->
                withPayments(state, payments.with(paymentId, new Standing.Surplus(reason, Optional.empty())));
            case ReacquireStarted(String paymentId)
            when state instanceof Cancelled ->
                withPayments(state, payments.with(paymentId, new Standing.Reacquiring(Optional.empty())));
            case HoldTakenAgain(String paymentId, String reservationId)
            when state instanceof Cancelled ->
                withPayments(state, payments.with(paymentId, new Standing.Reacquiring(Optional.of(reservationId))));
            case OrderReacquired(String paymentId, String reservationId)
            when state instanceof Cancelled s ->
                new Paid(
                        s.placed(),
                        new Purchase(paymentId, List.of(), Optional.of(reservationId)),
                        payments.with(paymentId, new Standing.Settled()));
            case ReacquireFailed(String paymentId, var _, var _)
            when state instanceof Cancelled ->
                withPayments(
                        state,
                        payments.with(
                                paymentId, new Standing.Surplus(SurplusReason.ORDER_CANCELLED, Optional.empty())));
            case PaymentGivenBack(String paymentId, String reference) ->
                withPayments(state, payments.givenBack(paymentId, reference));
            case CancelStarted(CancelReason reason)
            when state instanceof Created s -> new CancelPending(s.placed(), reason, CancelStep.MARK, payments);
            case CancelStarted(CancelReason reason)
            when state instanceof Paying s -> new CancelPending(s.placed(), reason, CancelStep.MARK, payments);
            case CancelMarked()
            when state instanceof CancelPending s ->
                new CancelPending(s.placed(), s.reason(), CancelStep.CLOSE, payments);
            case PaymentClosed()
            when state instanceof CancelPending s ->
                new CancelPending(s.placed(), s.reason(), CancelStep.CANCEL, payments);
            case OrderCancelled(Instant at)
            when state instanceof CancelPending s -> new Cancelled(s.placed(), s.reason(), at, payments);
            case RefundNoted(OrderRefund refund)
            when state instanceof Refunding s ->
                new Refunding(
                        s.placed(), s.purchase(), s.refund(), s.settledOutside(), with(s.noted(), refund), payments);
            case RefundStarted(OrderRefund refund)
            when state instanceof Paid s ->
                new Refunding(s.placed(), s.purchase(), refund, Optional.empty(), List.of(), payments);
            case OrderRefunded(OrderRefund refund, var _)
            when state instanceof Refunding s -> {
                Purchase purchase = s.purchase().and(refund);
                yield left(s.request().quantity(), purchase) == 0
                        ? new Refunded(s.placed(), purchase, payments)
                        : new Paid(s.placed(), purchase, payments);
            }
            case ContradictionNoticed _ -> state;
            case OrderRequested _,
                    DeadlineReached _,
                    CancelNoted _,
                    OrderCreated _,
                    OrderRejected _,
                    PaymentBegun _,
                    OrderAwaited _,
                    OrderNotFound _,
                    OrderPaid _,
                    ReacquireStarted _,
                    HoldTakenAgain _,
                    OrderReacquired _,
                    ReacquireFailed _,
                    CancelStarted _,
                    CancelMarked _,
                    PaymentClosed _,
                    OrderCancelled _,
                    RefundNoted _,
                    RefundStarted _,
                    OrderRefunded _,
                    FactNoted _,
                    ReviewOpened _,
                    ReviewLifted _ -> throw impossible(state, event);
        };
    }

    /** Units of a purchase that did not go back. */
    static long left(long quantity, Purchase purchase) {
        return quantity
                - purchase.refunds().stream().mapToLong(OrderRefund::units).sum();
    }

    private static boolean isUnpaid(Unmarked state) {
        return switch (state) {
            case Created _, Paying _, CancelPending _ -> true;
            case None _, Requested _, Cancelled _, Rejected _, Paid _, Refunding _, Refunded _ -> false;
        };
    }

    private static Unmarked lifted(Unmarked state, Resolution resolution) {
        return switch (resolution) {
            case Resolution.Continue() -> state;
            case Resolution.SettledOutside(String operationId, String reference) ->
                settledOutside(state, operationId, reference);
        };
    }

    private static Unmarked settledOutside(Unmarked state, String operationId, String reference) {
        if (state instanceof Refunding s && operationId.equals(OrderMachine.refundOperation(s))) {
            return new Refunding(s.placed(), s.purchase(), s.refund(), Optional.of(reference), s.noted(), s.payments());
        }
        PaymentBook payments = state.payments();
        for (PaymentBook.Entry entry : payments.entries()) {
            if (entry.standing() instanceof Standing.Surplus(SurplusReason reason, var _)
                    && operationId.equals(OrderMachine.returnOperation(entry.payment()))) {
                return withPayments(
                        state,
                        payments.with(
                                entry.payment().paymentId(), new Standing.Surplus(reason, Optional.of(reference))));
            }
        }
        throw new IllegalStateException("order " + state.id() + " does not owe " + operationId);
    }

    private static Unmarked withPayments(Unmarked state, PaymentBook payments) {
        return switch (state) {
            case None s -> new None(s.id(), payments, s.lookUntil(), s.unclaimed());
            case Asked s -> withPayments(s, payments);
        };
    }

    private static Unmarked withPayments(Asked state, PaymentBook payments) {
        return switch (state) {
            case Requested s -> new Requested(s.request(), s.intent(), s.cancel(), payments);
            case Created s -> new Created(s.placed(), s.cancel(), payments);
            case Paying s -> new Paying(s.placed(), s.begun(), s.cancel(), payments);
            case CancelPending s -> new CancelPending(s.placed(), s.reason(), s.step(), payments);
            case Cancelled s -> new Cancelled(s.placed(), s.reason(), s.cancelledAt(), payments);
            case Rejected s -> new Rejected(s.request(), s.reason(), payments);
            case Bought s -> withPayments(s, payments);
        };
    }

    private static Unmarked withPayments(Bought state, PaymentBook payments) {
        return switch (state) {
            case Paid s -> new Paid(s.placed(), s.purchase(), payments);
            case Refunding s ->
                new Refunding(s.placed(), s.purchase(), s.refund(), s.settledOutside(), s.noted(), payments);
            case Refunded s -> new Refunded(s.placed(), s.purchase(), payments);
        };
    }

    private static <T> List<T> with(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    private static IllegalStateException impossible(Order state, OrderEvent event) {
        return new IllegalStateException("order " + state.id() + " in " + state.status() + " can't have met "
                + event.getClass().getSimpleName());
    }
}
