package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Takes units of a sale's pool anew, for an order that was cancelled before its payment came. */
@FunctionalInterface
public interface Holds {

    /** Nothing is ever held: a fleet whose orders do not come back. */
    Holds NONE = (_, _) -> CompletableFuture.completedFuture(Outcome.known(new HoldAnswer.NotHeld("NO_HOLDS")));

    /**
     * Holds as many units as the order had. Asked again for the same payment it is the same hold.
     *
     * @param request what the order was asked for with
     * @param paymentId the payment it comes back for
     */
    CompletionStage<Outcome<HoldAnswer>> hold(OrderCreateRequested request, String paymentId);
}
