package io.holdfast.order.domain;

import io.holdfast.reservation.domain.Ids;
import java.time.Instant;

/**
 * A payment that succeeded, as its provider tells of it.
 *
 * @param paymentId ours: once per payment, whatever order it is for
 * @param provider who took it
 * @param transaction the provider's id of it, unique with that provider
 * @param amount what was paid
 * @param paidAt when
 */
public record Payment(String paymentId, String provider, String transaction, Money amount, Instant paidAt) {

    /** @throws IllegalArgumentException if an id breaks the rule */
    public Payment {
        Ids.part("payment_id", paymentId);
        Ids.part("provider", provider);
        Ids.part("provider_transaction", transaction);
    }

    /** Whether it is the same transaction of the same provider, whatever we call it. */
    boolean isSameTransactionAs(Payment other) {
        return provider.equals(other.provider) && transaction.equals(other.transaction);
    }
}
