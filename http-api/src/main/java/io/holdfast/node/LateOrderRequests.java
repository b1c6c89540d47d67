package io.holdfast.node;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.port.OrderRequests;
import java.util.concurrent.CompletionStage;

/** Requests for orders, for reservations that are there before the broker is spoken to: until then, or without one, they wait. */
final class LateOrderRequests implements OrderRequests {

    private volatile OrderRequests requests = OrderRequests.none();

    /** From now on these are used. */
    void are(OrderRequests known) {
        requests = known;
    }

    @Override
    public CompletionStage<Outcome<Sent>> send(OrderCreateRequested order) {
        return requests.send(order);
    }
}
