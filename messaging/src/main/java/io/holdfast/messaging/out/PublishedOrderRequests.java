package io.holdfast.messaging.out;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.port.OrderRequests;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks for the orders of admitted holds with messages. What a message says is a function of the request, so that one that is sent again is
 * the same to the byte.
 *
 * <p>Each is a run of its own, since none waits for another. One that fails may end what others have under way, which is then sent anew.
 */
public final class PublishedOrderRequests implements OrderRequests {

    private final MessageSink sink;

    /** Through this sink. */
    public PublishedOrderRequests(MessageSink sink) {
        this.sink = sink;
    }

    @Override
    public CompletionStage<Outcome<Sent>> send(OrderCreateRequested order) {
        CompletableFuture<Void> given;
        try {
            given = sink.begin().send(message(order));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(Outcome.unavailable("not given to the broker: " + e.getMessage()));
        }
        return given.handle((_, failure) -> failure == null
                ? Outcome.known(new Sent())
                : Outcome.unknown("the broker did not say that it has it: " + failure.getMessage()));
    }

    static OutgoingMessage message(OrderCreateRequested order) {
        Data data = new Data()
                .with("schema_version", (long) OrderCreateRequested.SCHEMA_VERSION)
                .with("message_id", order.messageId())
                .with("reservation_id", order.reservationId())
                .with("request_id", order.requestId())
                .with("activity", order.activity())
                .with("sku", order.sku())
                .with("user_id", order.userId())
                .with("quantity", order.quantity())
                .with("reserved_at", order.reservedAt().toString())
                .with("business_deadline", order.businessDeadline().toString());
        return new OutgoingMessage(
                OutTopic.ORDER_REQUESTS,
                order.messageId(),
                OrderCreateRequested.TYPE,
                order.reservationId(),
                order.reservationId(),
                1,
                order.reservedAt(),
                Optional.empty(),
                data.fields());
    }
}
