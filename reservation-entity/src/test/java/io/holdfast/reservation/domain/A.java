package io.holdfast.reservation.domain;

import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The examples the tests of reservations speak about: one line of 5 units. */
final class A {

    static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    static final Instant LATER = NOW.plus(Duration.ofMinutes(15));
    static final Line LINE = new Line("m-1", "soup", "order-1", "item-1", Optional.of("user-1"));
    static final String ORDER = LINE.orderId();
    static final String ID = LINE.reservationId();
    static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    static final PoolId OTHER_POOL = PoolId.parse("m-1:soup:2026-07-26");
    static final Terms TERMS = new Terms(LINE, 5, new OrderType.InstantOrder());
    static final Terms SCHEDULED = new Terms(LINE, 5, new OrderType.ScheduledOrder(LATER));

    static final Reserve RESERVE = new Reserve(TERMS, new PoolChoice.Named(POOL), LATER);
    static final HoldRequested REQUESTED = new HoldRequested(POOL, TERMS, LATER);
    static final OrderCreated CREATED = OrderCreated.whole(ORDER);
    static final OrderCreatedFailed ORDER_FAILED = new OrderCreatedFailed(ORDER, "payment refused");
    static final OrderCanceled ORDER_CANCELED = new OrderCanceled(Optional.of(ORDER), "buyer changed their mind");

    static final EffectPolicies POLICIES = EffectPolicies.standard().rebuilding(EffectPolicies.Rebuild.ON_REQUEST);

    private A() {}

    static Books books(long version, long reserved, long sold) {
        return Books.expected(1, version, 10, reserved, sold);
    }

    static OrderCreated createdFor(long quantity) {
        return new OrderCreated(ORDER, OptionalLong.of(quantity));
    }

    static RefundRequested refund(String id, long quantity) {
        return new RefundRequested(Optional.of(ORDER), id, quantity, true);
    }
}
