package io.holdfast.order.domain;

import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.order.domain.Order.Intent;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.Contradicted;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.Freeze;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.Lift;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswered;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
import io.holdfast.order.domain.OrderCommand.WakeUp;
import io.holdfast.order.domain.OrderEvent.CancelMarked;
import io.holdfast.order.domain.OrderEvent.CancelNoted;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.DeadlineReached;
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
import io.holdfast.order.domain.OrderEvent.ReacquireStarted;
import io.holdfast.order.domain.OrderEvent.RefundStarted;
import io.holdfast.order.domain.OrderEvent.ReviewOpened;
import io.holdfast.order.domain.OrderFact.BeginPayment;
import io.holdfast.order.domain.OrderFact.Cancel;
import io.holdfast.order.domain.OrderFact.Create;
import io.holdfast.order.domain.OrderFact.Expire;
import io.holdfast.order.domain.OrderFact.PaymentSucceeded;
import io.holdfast.order.domain.OrderFact.RequestRefund;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One order of 2 units in every state it can be in, and every command it can be given. */
public final class OrderSamples implements MachineSamples<Order, OrderCommand, OrderEvent, OrderEffect> {

    private static final Instant NOW = Instant.parse("2026-06-25T09:10:00Z");
    private static final Instant PAST = NOW.minus(Duration.ofMinutes(1));
    private static final Instant LATER = NOW.plus(Duration.ofMinutes(15));
    private static final String ID = "5f0c1d2e3b4a59687786958473625140";
    private static final OrderCreateRequested REQUEST = new OrderCreateRequested(
            "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
            ID,
            "request-1",
            "summer",
            "phone",
            "user-1",
            2,
            PAST.minus(Duration.ofMinutes(9)),
            PAST);
    private static final Payment PAYMENT =
            new Payment("payment-1", "sandbox", "transaction-1", new Money(1990, "EUR"), PAST);
    private static final Payment SECOND =
            new Payment("payment-2", "sandbox", "transaction-2", new Money(1990, "EUR"), PAST);
    private static final Payment OTHER =
            new Payment("payment-1", "sandbox", "transaction-9", new Money(10, "EUR"), PAST);
    private static final OrderRefund PART = new OrderRefund("refund-1", 1, new Money(990, "EUR"), true);
    private static final OrderRefund ALL = new OrderRefund("refund-2", 2, new Money(1990, "EUR"), true);

    private static final OrderRequested REQUESTED = new OrderRequested(REQUEST, Intent.CREATE);
    private static final OrderCreated CREATED = new OrderCreated(PAST, LATER);
    private static final OrderCreated CREATED_LONG_AGO = new OrderCreated(PAST.minus(Duration.ofMinutes(15)), PAST);
    private static final PaymentReceived RECEIVED = new PaymentReceived(PAYMENT);
    private static final PaymentReceived RECEIVED_AGAIN = new PaymentReceived(SECOND);
    private static final OrderPaid PAID = new OrderPaid(PAYMENT.paymentId());
    private static final CancelStarted CANCEL = new CancelStarted(CancelReason.BUYER);
    private static final OrderCancelled CANCELLED = new OrderCancelled(NOW);
    private static final OrderRejected REJECTED = new OrderRejected(RejectReason.OUT_OF_FINAL_STOCK);
    private static final ReviewOpened FROZEN =
            new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));

    private static final String AGAIN = "0123456789abcdef0123456789abcdef";
    private static final HoldTakenAgain HELD = new HoldTakenAgain(PAYMENT.paymentId(), AGAIN);

    private final OrderMachine machine =
            new OrderMachine(OrderPolicies.standard().with(OrderPolicies.LatePayment.REACQUIRE));

    @Override
    public Machine<Order, OrderCommand, OrderEvent, OrderEffect> machine() {
        return machine;
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public Class<?> stateType() {
        return Order.class;
    }

    @Override
    public Class<?> commandType() {
        return OrderCommand.class;
    }

    @Override
    public List<Sample<Order>> states() {
        PaymentFoundSurplus late = new PaymentFoundSurplus(PAYMENT.paymentId(), SurplusReason.ORDER_CANCELLED);
        PaymentFoundSurplus homeless = new PaymentFoundSurplus(PAYMENT.paymentId(), SurplusReason.NO_ORDER);
        return List.of(
                Sample.of(after()),
                Sample.of("a payment waits", after(RECEIVED, new OrderAwaited(LATER))),
                Sample.of("a payment has waited", after(RECEIVED, new OrderAwaited(PAST))),
                Sample.of("a payment has no order", after(RECEIVED, new OrderAwaited(PAST), new OrderNotFound())),
                Sample.of(
                        "a payment goes back", after(RECEIVED, new OrderAwaited(PAST), new OrderNotFound(), homeless)),
                Sample.of(after(REQUESTED)),
                Sample.of("overdue", after(REQUESTED, new DeadlineReached())),
                Sample.of("a payment waits", after(REQUESTED, RECEIVED)),
                Sample.of("a cancellation waits", after(REQUESTED, new CancelNoted(CancelReason.BUYER))),
                Sample.of(after(REQUESTED, CREATED)),
                Sample.of("pay time over", after(REQUESTED, CREATED_LONG_AGO)),
                Sample.of("a payment came", after(REQUESTED, CREATED_LONG_AGO, RECEIVED)),
                Sample.of(
                        "a payment came, a cancellation waits",
                        after(REQUESTED, CREATED, RECEIVED, new CancelNoted(CancelReason.BUYER))),
                Sample.of(after(REQUESTED, CREATED, new PaymentBegun(PAYMENT.paymentId()))),
                Sample.of("pay time over", after(REQUESTED, CREATED_LONG_AGO, new PaymentBegun(PAYMENT.paymentId()))),
                Sample.of("to be marked", after(REQUESTED, CREATED, CANCEL)),
                Sample.of("provider asked", after(REQUESTED, CREATED, CANCEL, new CancelMarked())),
                Sample.of(
                        "to be cancelled", after(REQUESTED, CREATED, CANCEL, new CancelMarked(), new PaymentClosed())),
                Sample.of(
                        "a payment came",
                        after(REQUESTED, CREATED, CANCEL, new CancelMarked(), new PaymentClosed(), RECEIVED)),
                Sample.of(after(REQUESTED, CREATED, CANCEL, new CancelMarked(), new PaymentClosed(), CANCELLED)),
                Sample.of(
                        "a late payment goes back",
                        after(
                                REQUESTED,
                                CREATED,
                                CANCEL,
                                new CancelMarked(),
                                new PaymentClosed(),
                                CANCELLED,
                                RECEIVED,
                                late)),
                Sample.of(
                        "a late payment went back",
                        after(
                                REQUESTED,
                                CREATED,
                                CANCEL,
                                new CancelMarked(),
                                new PaymentClosed(),
                                CANCELLED,
                                RECEIVED,
                                late,
                                new PaymentGivenBack(PAYMENT.paymentId(), "back-1"))),
                Sample.of("may come back", after(back())),
                Sample.of("may come back, units are held", after(back(HELD))),
                Sample.of("came back", after(back(HELD, new OrderReacquired(PAYMENT.paymentId(), AGAIN)))),
                Sample.of(after(REQUESTED, REJECTED)),
                Sample.of(
                        "overdue",
                        after(
                                new OrderRequested(REQUEST, Intent.REJECT_OVERDUE),
                                new OrderRejected(RejectReason.BUSINESS_DEADLINE_EXCEEDED))),
                Sample.of(after(REQUESTED, CREATED, RECEIVED, PAID)),
                Sample.of(
                        "partly refunded",
                        after(
                                REQUESTED,
                                CREATED,
                                RECEIVED,
                                PAID,
                                new RefundStarted(PART),
                                new OrderRefunded(PART, "back-1"))),
                Sample.of("paid twice", after(REQUESTED, CREATED, RECEIVED, PAID, RECEIVED_AGAIN)),
                Sample.of("part", after(REQUESTED, CREATED, RECEIVED, PAID, new RefundStarted(PART))),
                Sample.of("all", after(REQUESTED, CREATED, RECEIVED, PAID, new RefundStarted(ALL))),
                Sample.of(after(
                        REQUESTED, CREATED, RECEIVED, PAID, new RefundStarted(ALL), new OrderRefunded(ALL, "back-2"))),
                Sample.of("of requested", after(REQUESTED, FROZEN)),
                Sample.of("of created", after(REQUESTED, CREATED, FROZEN)),
                Sample.of("of refunding", after(REQUESTED, CREATED, RECEIVED, PAID, new RefundStarted(PART), FROZEN)));
    }

    @Override
    public List<Sample<OrderCommand>> commands() {
        OrderCreateRequested other = new OrderCreateRequested(
                REQUEST.messageId(),
                ID,
                REQUEST.requestId(),
                REQUEST.activity(),
                REQUEST.sku(),
                REQUEST.userId(),
                1,
                REQUEST.reservedAt(),
                REQUEST.businessDeadline());
        return List.of(
                Sample.of(new Create(REQUEST)),
                Sample.of("other content", new Create(other)),
                Sample.of(new Expire(REQUEST)),
                Sample.of("other content", new Expire(other)),
                Sample.of(new PaymentSucceeded(PAYMENT)),
                Sample.of("a second one", new PaymentSucceeded(SECOND)),
                Sample.of("other content", new PaymentSucceeded(OTHER)),
                Sample.of(new BeginPayment(PAYMENT.paymentId())),
                Sample.of("again", new BeginPayment(SECOND.paymentId())),
                Sample.of(new Cancel(CancelReason.BUYER)),
                Sample.of("part", new RequestRefund(PART)),
                Sample.of("all", new RequestRefund(ALL)),
                Sample.of("made", new CreationAnswered(new CreationAnswer.Made(PAST, LATER))),
                Sample.of(
                        "turned down",
                        new CreationAnswered(new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK))),
                Sample.of("settles", new PaymentAnswered(PAYMENT.paymentId(), new PaymentAnswer.Settles())),
                Sample.of(
                        "surplus",
                        new PaymentAnswered(
                                PAYMENT.paymentId(), new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED))),
                Sample.of("held", new HoldAnswered(PAYMENT.paymentId(), new HoldAnswer.Held(AGAIN))),
                Sample.of("not held", new HoldAnswered(PAYMENT.paymentId(), new HoldAnswer.NotHeld("SOLD_OUT"))),
                Sample.of("taken", new ReacquireAnswered(PAYMENT.paymentId(), new ReacquireAnswer.Taken())),
                Sample.of(
                        "turned down",
                        new ReacquireAnswered(
                                PAYMENT.paymentId(), new ReacquireAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK))),
                Sample.of(new PaymentReturned(PAYMENT.paymentId(), "back-1")),
                Sample.of("marked", new MarkAnswered(Optional.empty())),
                Sample.of("found paid", new MarkAnswered(Optional.of(PAYMENT.paymentId()))),
                Sample.of("closed", new CloseAnswered(Optional.empty())),
                Sample.of("paid", new CloseAnswered(Optional.of(PAYMENT))),
                Sample.of("done", new CancelAnswered(new CancelAnswer.Done(NOW))),
                Sample.of("found paid", new CancelAnswered(new CancelAnswer.FoundPaid(PAYMENT.paymentId()))),
                Sample.of("part", new RefundAnswered(PART.refundId(), "back-1")),
                Sample.of("all", new RefundAnswered(ALL.refundId(), "back-2")),
                Sample.of(
                        "of the creation",
                        new ContradictionFound("CREATE:" + ID, "OTHER_PAYLOAD", Map.of("known", "00", "asked", "01"))),
                Sample.of(
                        "of the payment",
                        new ContradictionFound("PAYMENT:payment-1", "TRANSACTION_TAKEN", Map.of("by", "payment-9"))),
                Sample.of(new WakeUp()),
                Sample.of(new Contradicted("message-1")),
                Sample.of(new Freeze("disputed")),
                Sample.of("go on", new Lift(new Resolution.Continue(), "clear")),
                Sample.of(
                        "settled outside",
                        new Lift(
                                new Resolution.SettledOutside("REFUND:" + ID + ":refund-1", "bank transfer 7"),
                                "paid by hand")));
    }

    /** A cancelled order that a late payment may bring back, and what came then. */
    private static OrderEvent[] back(OrderEvent... more) {
        return Stream.concat(
                        Stream.of(
                                REQUESTED,
                                CREATED,
                                CANCEL,
                                new CancelMarked(),
                                new PaymentClosed(),
                                CANCELLED,
                                RECEIVED,
                                new ReacquireStarted(PAYMENT.paymentId())),
                        Stream.of(more))
                .toArray(OrderEvent[]::new);
    }

    private Order after(OrderEvent... past) {
        Order state = machine.initial(ID);
        for (OrderEvent event : past) {
            state = machine.evolve(state, event);
        }
        return state;
    }
}
