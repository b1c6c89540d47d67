package io.holdfast.order.domain;

import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.order.domain.OrderEvent.CancelMarked;
import io.holdfast.order.domain.OrderEvent.CancelNoted;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.ContradictionNoticed;
import io.holdfast.order.domain.OrderEvent.DeadlineReached;
import io.holdfast.order.domain.OrderEvent.FactNoted;
import io.holdfast.order.domain.OrderEvent.HoldTakenAgain;
import io.holdfast.order.domain.OrderEvent.OrderAwaited;
import io.holdfast.order.domain.OrderEvent.OrderNotFound;
import io.holdfast.order.domain.OrderEvent.OrderReacquired;
import io.holdfast.order.domain.OrderEvent.OrderRefunded;
import io.holdfast.order.domain.OrderEvent.OrderRejected;
import io.holdfast.order.domain.OrderEvent.PaymentClosed;
import io.holdfast.order.domain.OrderEvent.PaymentFoundSurplus;
import io.holdfast.order.domain.OrderEvent.PaymentGivenBack;
import io.holdfast.order.domain.OrderEvent.ReacquireFailed;
import io.holdfast.order.domain.OrderEvent.ReacquireStarted;
import io.holdfast.order.domain.OrderEvent.RefundNoted;
import io.holdfast.order.domain.OrderEvent.ReviewLifted;
import io.holdfast.order.domain.OrderEvent.ReviewOpened;
import io.holdfast.testkit.derived.GoldenJournal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class GoldenJournalTest extends GoldenJournal<OrderEvent> {

    @Override
    protected String machine() {
        return OrderMachine.NAME;
    }

    @Override
    protected Class<OrderEvent> eventType() {
        return OrderEvent.class;
    }

    @Override
    protected JournalCodec<OrderEvent> codec() {
        return JournalCodec.of(OrderEvent.class);
    }

    @Override
    protected List<OrderEvent> examples() {
        return List.of(
                A.REQUESTED,
                A.OVERDUE,
                new DeadlineReached(),
                new CancelNoted(CancelReason.OPERATOR),
                A.CREATED,
                new OrderRejected(RejectReason.OUT_OF_FINAL_STOCK),
                new OrderRejected(RejectReason.DUPLICATE_BUYER),
                new OrderRejected(RejectReason.BUSINESS_DEADLINE_EXCEEDED),
                A.BEGUN,
                A.RECEIVED,
                new OrderAwaited(A.PAY_BY),
                new OrderNotFound(),
                A.PAID,
                new PaymentFoundSurplus("payment-1", SurplusReason.ORDER_REJECTED),
                new PaymentFoundSurplus("payment-1", SurplusReason.ORDER_CANCELLED),
                new PaymentFoundSurplus("payment-1", SurplusReason.PAID_BEFORE),
                new PaymentFoundSurplus("payment-1", SurplusReason.NO_ORDER),
                new PaymentGivenBack("payment-1", "back-1"),
                new ReacquireStarted("payment-1"),
                new HoldTakenAgain("payment-1", "5f0c1d2e3b4a59687786958473625149"),
                new OrderReacquired("payment-1", "5f0c1d2e3b4a59687786958473625149"),
                new ReacquireFailed("payment-1", Optional.empty(), "SOLD_OUT"),
                new ReacquireFailed("payment-1", Optional.of("5f0c1d2e3b4a59687786958473625149"), "DUPLICATE_BUYER"),
                new CancelStarted(CancelReason.PAY_TIMEOUT),
                new CancelStarted(CancelReason.BUYER),
                new CancelMarked(),
                new PaymentClosed(),
                A.CANCELLED,
                new RefundNoted(A.ANOTHER),
                A.REFUND,
                new OrderRefunded(A.ONE, "back-1"),
                new FactNoted(new OrderFact.Create(A.REQUEST)),
                new FactNoted(new OrderFact.Expire(A.REQUEST)),
                new FactNoted(new OrderFact.PaymentSucceeded(A.PAYMENT)),
                new FactNoted(new OrderFact.BeginPayment("payment-1")),
                new FactNoted(new OrderFact.Cancel(CancelReason.BUYER)),
                new FactNoted(new OrderFact.RequestRefund(A.ONE)),
                new ReviewOpened(new Review(
                        Review.Trigger.CONTRADICTION, "CREATE was answered OTHER_PAYLOAD", Map.of("known", "00"))),
                new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of())),
                new ReviewOpened(new Review(
                        Review.Trigger.OTHER_CONTENT, "the order was asked for with other content", Map.of("id", "m"))),
                new ReviewLifted(new Resolution.Continue(), "clear"),
                new ReviewLifted(new Resolution.SettledOutside("RETURN:payment-1", "bank transfer 7"), "by hand"),
                new ContradictionNoticed("message-1"));
    }
}
