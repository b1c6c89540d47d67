package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Who takes the money. It is a system of its own: what it does is known only from its answers. */
public interface PaymentProvider {

    /** Asks whether an order is paid, and to let no payment for it come any more if it is not. */
    CompletionStage<Outcome<CloseAnswer>> close(String orderId);

    /** What it says about an order that is to be closed. */
    sealed interface CloseAnswer {

        /** No payment was made, and none can be made any more. */
        record Closed() implements CloseAnswer {}

        /** It was paid. */
        record IsPaid(Payment payment) implements CloseAnswer {}
    }

    /**
     * Gives money of a payment back, once per operation.
     *
     * @param operationId the same on every attempt
     * @param amount at most what was paid
     */
    CompletionStage<Outcome<GiveBackAnswer>> giveBack(String operationId, Payment payment, Money amount);

    /** What it says about money that is to go back. */
    sealed interface GiveBackAnswer {

        /**
         * It went back.
         *
         * @param reference the provider's name for it
         */
        record GivenBack(String reference) implements GiveBackAnswer {}

        /**
         * It does not give it back, for good: a person must.
         *
         * @param code the provider's, in a word
         * @param evidence what else it said
         */
        record Declined(String code, Map<String, String> evidence) implements GiveBackAnswer {
            public Declined {
                evidence = Map.copyOf(evidence);
            }
        }
    }
}
