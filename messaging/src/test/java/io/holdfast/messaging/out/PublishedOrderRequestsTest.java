package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.json.JsonWriter;
import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.port.OrderRequests.Sent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PublishedOrderRequestsTest {

    static final OrderCreateRequested ORDER = new OrderCreateRequested(
            "0123456789abcdef0123456789abcdef",
            "8ced73660b864d5b8352084950e45ef7",
            "q-1",
            "spring",
            "phone",
            "ann",
            2,
            Instant.parse("2026-11-29T10:00:00.123Z"),
            Instant.parse("2026-11-29T10:05:00Z"));

    private final List<OutgoingMessage> given = new ArrayList<>();

    private Outcome<Sent> send(CompletableFuture<Void> broker) {
        return new PublishedOrderRequests(() -> new MessageSink.Run() {
                    @Override
                    public CompletableFuture<Void> send(OutgoingMessage message) {
                        given.add(message);
                        return broker;
                    }

                    @Override
                    public void abandon() {
                        throw new AssertionError("nothing is behind it");
                    }
                })
                .send(ORDER)
                .toCompletableFuture()
                .join();
    }

    @Test
    void what_is_sent_is_the_same_to_the_byte_however_often_it_is_sent() {
        assertThat(send(CompletableFuture.completedFuture(null))).isEqualTo(Outcome.known(new Sent()));
        assertThat(send(CompletableFuture.completedFuture(null))).isEqualTo(Outcome.known(new Sent()));
        assertThat(given.get(0)).isEqualTo(given.get(1));
        assertThat(given.get(0).id()).isEqualTo(ORDER.messageId());
        assertThat(given.get(0).key()).isEqualTo(ORDER.reservationId());
        assertThat(new String(JsonWriter.write(given.get(0).data()), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"schema_version\":1,\"message_id\":\"0123456789abcdef0123456789abcdef\","
                            + "\"reservation_id\":\"8ced73660b864d5b8352084950e45ef7\",\"request_id\":\"q-1\","
                            + "\"activity\":\"spring\",\"sku\":\"phone\",\"user_id\":\"ann\",\"quantity\":2,"
                            + "\"reserved_at\":\"2026-11-29T10:00:00.123Z\",\"business_deadline\":\"2026-11-29T10:05:00Z\"}");
    }

    @Test
    void the_largest_request_is_far_smaller_than_anything_a_broker_refuses() {
        String longest = "x".repeat(64);
        Instant latest = Instant.parse("9999-12-31T23:59:59.999Z");
        var order = new OrderCreateRequested(
                longest,
                longest,
                longest,
                longest,
                longest,
                longest,
                Ids.LARGEST_QUANTITY,
                latest.minusMillis(1),
                latest);
        assertThat(JsonWriter.write(PublishedOrderRequests.message(order).data()))
                .hasSizeLessThan(1024);
    }

    @Test
    void a_broker_that_does_not_answer_may_have_it() {
        assertThat(send(CompletableFuture.failedFuture(new IllegalStateException("timed out"))))
                .isEqualTo(Outcome.unknown("the broker did not say that it has it: timed out"));
    }

    @Test
    void what_was_not_given_to_the_broker_is_not_there() {
        var closed = new PublishedOrderRequests(() -> {
            throw new IllegalStateException("closed");
        });
        assertThat(closed.send(ORDER).toCompletableFuture().join())
                .isEqualTo(Outcome.unavailable("not given to the broker: closed"));
    }
}
