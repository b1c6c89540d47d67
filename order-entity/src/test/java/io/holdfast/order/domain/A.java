package io.holdfast.order.domain;

import io.holdfast.order.domain.Order.Intent;
import io.holdfast.order.domain.OrderEvent.CancelMarked;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.OrderCancelled;
import io.holdfast.order.domain.OrderEvent.OrderCreated;
import io.holdfast.order.domain.OrderEvent.OrderPaid;
import io.holdfast.order.domain.OrderEvent.OrderRejected;
import io.holdfast.order.domain.OrderEvent.OrderRequested;
import io.holdfast.order.domain.OrderEvent.PaymentBegun;
import io.holdfast.order.domain.OrderEvent.PaymentClosed;
import io.holdfast.order.domain.OrderEvent.PaymentReceived;
import io.holdfast.order.domain.OrderEvent.RefundStarted;
import io.holdfast.order.domain.OrderFact.PaymentSucceeded;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

/** The examples the tests of orders speak about: one order of 3 units. */
final class A {

    static final Instant NOW = Instant.parse("2026-06-25T09:00:00Z");
    static final Instant DEADLINE = NOW.plus(Duration.ofMinutes(5));
    static final Instant PAY_BY = NOW.plus(Duration.ofMinutes(15));
    static final String ID = "5f0c1d2e3b4a59687786958473625140";
    static final OrderCreateRequested REQUEST = request(3);
    static final OrderCreateRequested OTHER_REQUEST = request(1);
    static final OrderPolicies POLICIES = OrderPolicies.standard();

    static final Payment PAYMENT = payment("payment-1", "transaction-1");
    static final Payment SECOND = payment("payment-2", "transaction-2");
    static final OrderRefund ONE = refund("refund-1", 1, 1000);
    static final OrderRefund ANOTHER = refund("refund-2", 1, 1000);
    static final OrderRefund ALL = refund("refund-3", 3, 3000);

    static final OrderRequested REQUESTED = new OrderRequested(REQUEST, Intent.CREATE);
    static final OrderRequested OVERDUE = new OrderRequested(REQUEST, Intent.REJECT_OVERDUE);
    static final OrderCreated CREATED = new OrderCreated(NOW, PAY_BY);
    static final OrderRejected REJECTED = new OrderRejected(RejectReason.OUT_OF_FINAL_STOCK);
    static final PaymentReceived RECEIVED = new PaymentReceived(PAYMENT);
    static final OrderPaid PAID = new OrderPaid("payment-1");
    static final PaymentBegun BEGUN = new PaymentBegun("payment-1");
    static final CancelStarted CANCEL = new CancelStarted(CancelReason.BUYER);
    static final CancelMarked MARKED = new CancelMarked();
    static final PaymentClosed CLOSED = new PaymentClosed();
    static final OrderCancelled CANCELLED = new OrderCancelled(PAY_BY);
    static final RefundStarted REFUND = new RefundStarted(ONE);

    static final OrderEvent[] ASKED = {REQUESTED};
    static final OrderEvent[] MADE = {REQUESTED, CREATED};
    static final OrderEvent[] PAYING = {REQUESTED, CREATED, BEGUN};
    static final OrderEvent[] CANCELLING = {REQUESTED, CREATED, CANCEL};
    static final OrderEvent[] CALLED_OFF = {REQUESTED, CREATED, CANCEL, MARKED, CLOSED, CANCELLED};
    static final OrderEvent[] TURNED = {REQUESTED, REJECTED};
    static final OrderEvent[] BOUGHT = {REQUESTED, CREATED, RECEIVED, PAID};
    static final OrderEvent[] REFUNDING = {REQUESTED, CREATED, RECEIVED, PAID, REFUND};
    static final OrderEvent[] RETURNED = {
        REQUESTED, CREATED, RECEIVED, PAID, new RefundStarted(ALL), new OrderEvent.OrderRefunded(ALL, "back-3")
    };

    private A() {}

    static OrderCreateRequested request(long quantity) {
        return new OrderCreateRequested(
                "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
                ID,
                "request-1",
                "summer",
                "phone",
                "user-1",
                quantity,
                NOW,
                DEADLINE);
    }

    static Payment payment(String id, String transaction) {
        return new Payment(id, "sandbox", transaction, new Money(3000, "EUR"), NOW);
    }

    static OrderRefund refund(String id, long units, long amount) {
        return new OrderRefund(id, units, new Money(amount, "EUR"), true);
    }

    static PaymentSucceeded paid(Payment payment) {
        return new PaymentSucceeded(payment);
    }

    static OrderEvent[] then(OrderEvent[] past, OrderEvent... more) {
        return Stream.concat(Arrays.stream(past), Arrays.stream(more)).toArray(OrderEvent[]::new);
    }
}
