package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Payment;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What the payment provider has on its books. */
@FunctionalInterface
public interface PaymentStatements {

    /**
     * A payment as the provider has it.
     *
     * @param orderId which it was made for
     * @param returned what of it went back, in the smallest unit of its currency
     */
    record Line(String orderId, Payment payment, long returned) {}

    /** Every payment that was made from the beginning of this time to before its end. */
    CompletionStage<Outcome<List<Line>>> between(Instant from, Instant to);
}
