package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.simulation.world.SaleDay;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A payment that pays nothing is noted as returned, and stays. */
final class MoneyNotGivenBack extends WrongVariant {

    @Override
    public String what() {
        return "notes that money went back without asking the provider";
    }

    @Override
    public PaymentProvider provider(SaleDay day, PaymentProvider provider) {
        return new PaymentProvider() {
            @Override
            public CompletionStage<Outcome<CloseAnswer>> close(String orderId) {
                return provider.close(orderId);
            }

            @Override
            public CompletionStage<Outcome<GiveBackAnswer>> giveBack(
                    String operationId, Payment payment, Money amount) {
                return CompletableFuture.completedFuture(
                        Outcome.known(new GiveBackAnswer.GivenBack("reference of nothing")));
            }
        };
    }
}
