package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Outcome;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The reservations of an order, as the read side shows them. */
@FunctionalInterface
public interface OrderReservations {

    /** Their ids, all of them. Never completes exceptionally. */
    CompletionStage<Outcome<List<String>>> of(String orderId);
}
