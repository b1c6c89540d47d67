package io.holdfast.order.domain;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.RetryPolicy;
import java.time.Duration;

/**
 * How what an order owes is attempted, and how long it waits.
 *
 * @param transaction one transaction in the database
 * @param provider one question to the payment provider
 * @param payWithin how long a created order waits for its payment before its cancellation begins
 * @param lookForOrder how long a payment waits for an order that is not known yet before it goes back
 * @param late what a payment means that comes after its order was cancelled
 */
public record OrderPolicies(
        RetryPolicy transaction, RetryPolicy provider, Duration payWithin, Duration lookForOrder, LatePayment late) {

    /** What becomes of a payment that comes after its order was cancelled. */
    public enum LatePayment {
        /** It goes back. */
        REFUND,
        /** The order comes back for it, if units can be had; else it goes back. */
        REACQUIRE
    }

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(15), 2, 0.2);
    private static final int STALL_AFTER = 12;

    public OrderPolicies {
        if (!payWithin.isPositive() || !lookForOrder.isPositive()) {
            throw new IllegalArgumentException("waits of an order must be positive");
        }
    }

    /** A transaction may take 5 s, a provider 10 s; 15 minutes to pay, and for an order that a payment names. */
    public static OrderPolicies standard() {
        return new OrderPolicies(
                new RetryPolicy(
                        Duration.ofSeconds(5), BACKOFF, STALL_AFTER, RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING),
                new RetryPolicy(
                        Duration.ofSeconds(10), BACKOFF, STALL_AFTER, RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING),
                Duration.ofMinutes(15),
                Duration.ofMinutes(15),
                LatePayment.REFUND);
    }

    /** The same, with this for late payments. */
    public OrderPolicies with(LatePayment policy) {
        return new OrderPolicies(transaction, provider, payWithin, lookForOrder, policy);
    }
}
