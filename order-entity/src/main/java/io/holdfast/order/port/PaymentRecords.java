package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Payment;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Payments as they are on record. */
@FunctionalInterface
public interface PaymentRecords {

    /**
     * A payment on record.
     *
     * @param orderId which the provider named
     * @param returned what of it went back, in the smallest unit of its currency
     * @param going whether all of it is on its way back
     */
    record OnRecord(String orderId, Payment payment, long returned, boolean going) {}

    /** Every payment of this provider that was made from the beginning of this time to before its end. */
    CompletionStage<Outcome<List<OnRecord>>> between(String provider, Instant from, Instant to);
}
