package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Brings requests for orders to the built-in order service, so many at a time: each waits until it is decided, so that what is not yet
 * decided waits in the topic and not in memory. One that is not decided in time is in the journal of its order, and driven on there.
 */
public final class OrderIntake {

    private final Entities<Order, OrderCommand> orders;
    private final Permits permits;
    private final Duration patience;

    /**
     * @param together requests that wait for their decision at a time
     * @param patience how long one of them waits
     */
    public OrderIntake(Entities<Order, OrderCommand> orders, int together, Duration patience) {
        this.orders = orders;
        this.permits = new Permits(together);
        this.patience = patience;
    }

    /** Asks once. */
    CompletionStage<Outcome<Reply<Order>>> bring(Cause cause, OrderCreateRequested request) {
        return permits.run(() -> orders.ask(request.reservationId(), cause, new OrderFact.Create(request), patience));
    }
}
