package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The order domain, as far as it can be asked to say again what became of an order. It answers by publishing; what it answers here moves
 * nothing.
 */
@FunctionalInterface
public interface OrderDirectory {

    /**
     * Asks it to publish the events of the order again. Asked twice, it may publish twice.
     *
     * @return never completes exceptionally; that nobody was reached is an answer too, {@link OrderAnswer#UNREACHED}
     */
    CompletionStage<Outcome<OrderAnswer>> publishAgain(AskOrder question);

    /** For a node that was told of no order domain it could ask. */
    static OrderDirectory none() {
        return _ -> CompletableFuture.completedFuture(Outcome.known(OrderAnswer.UNREACHED));
    }
}
