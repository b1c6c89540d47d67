package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the order service for the orders of admitted holds. */
@FunctionalInterface
public interface OrderRequests {

    /** The broker has it, at least once. */
    record Sent() {}

    /** Where there is no broker: an admitted hold goes on owing its message. */
    static OrderRequests none() {
        return _ -> CompletableFuture.completedFuture(Outcome.unavailable("no broker is known to this node"));
    }

    /**
     * Sends the message, under its id, with this very content: whoever reads it decides it once, however often it comes.
     *
     * @return never completes exceptionally; Unknown when the broker may have it, Unavailable when it has not
     */
    CompletionStage<Outcome<Sent>> send(OrderCreateRequested order);
}
