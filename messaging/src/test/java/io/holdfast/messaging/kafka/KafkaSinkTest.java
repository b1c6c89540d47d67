package io.holdfast.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.messaging.AsyncApi;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each with topics of its own
class KafkaSinkTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static OutgoingMessage message(int number) {
        return new OutgoingMessage(
                OutTopic.LIFECYCLE,
                "reservation|0123456789abcdef0123456789abcdef#" + number,
                "InventoryEventContradicted",
                "order-1",
                "0123456789abcdef0123456789abcdef",
                number,
                Instant.parse("2026-07-25T12:30:00.123456Z"),
                Optional.of(TRACE),
                Map.of(
                        "reservation_id", "0123456789abcdef0123456789abcdef",
                        "status", "REJECTED",
                        "cause_id", "/orders e-1"));
    }

    @Test
    void what_is_sent_is_a_cloud_event_as_documented() throws Exception {
        try (var broker = new Broker(SharedStack.kafka().bootstrapServers())) {
            KafkaSettings settings = broker.fresh(2);
            try (var sink = new KafkaSink(settings)) {
                sink.send(message(7)).get(30, TimeUnit.SECONDS);
                sink.send(message(7)).get(30, TimeUnit.SECONDS);
            }
            List<ConsumerRecord<byte[], byte[]>> sent =
                    broker.read(settings.topics().lifecycle());
            assertThat(sent).hasSize(2);
            assertThat(sent.get(1).value()).isEqualTo(sent.get(0).value());
            var record = sent.getFirst();
            assertThat(record.key()).isEqualTo(Broker.bytes("order-1"));
            var event = KafkaMessageFactory.createReader(record.headers(), record.value())
                    .toEvent();
            assertThat(event.getId()).isEqualTo("reservation|0123456789abcdef0123456789abcdef#7");
            assertThat(event.getSource().toString()).isEqualTo(settings.source());
            assertThat(event.getType()).isEqualTo("InventoryEventContradicted");
            assertThat(event.getTime()).isEqualTo("2026-07-25T12:30:00.123456Z");
            assertThat(event.getExtension("sequence")).isEqualTo("7");
            assertThat(new String(record.headers().lastHeader("traceparent").value()))
                    .startsWith("00-" + TRACE + "-");

            AsyncApi document = AsyncApi.load();
            Map<String, String> headers = new HashMap<>();
            record.headers().forEach(header -> headers.put(header.key(), new String(header.value())));
            assertThat(document.headerFaults(event.getType(), headers)).isEmpty();
            assertThat(document.payloadFaults(event.getType(), new ObjectMapper().readTree(record.value())))
                    .isEmpty();
        }
    }

    /** As the publisher does: what failed is given again, from the first that failed on. */
    @Test
    void a_broker_that_is_away_and_comes_back_gets_everything_in_order() throws Exception {
        try (var server = KafkaServer.start(
                io.holdfast.localstack.KafkaSettings.in(SharedStack.freshFolder("kafka-that-goes-away")))) {
            KafkaSettings settings;
            try (var broker = new Broker(server.bootstrapServers())) {
                settings = broker.fresh(1);
            }
            try (var sink = new KafkaSink(settings)) {
                sink.send(message(1)).get(30, TimeUnit.SECONDS);
                server.kill();
                List<CompletableFuture<Void>> sent = new ArrayList<>();
                do {
                    sent.add(sink.send(message(sent.size() + 2)));
                } while (!sent.getLast().isCompletedExceptionally() && sent.size() < 5);
                server.start();
                for (int i = 0; i < 20; i++) {
                    int number = i + 2;
                    if (i < sent.size() && !sent.get(i).isCompletedExceptionally()) {
                        sent.get(i).get(60, TimeUnit.SECONDS);
                    } else {
                        await().atMost(Duration.ofSeconds(60))
                                .ignoreExceptions()
                                .until(() -> {
                                    sink.send(message(number)).get(30, TimeUnit.SECONDS);
                                    return true;
                                });
                    }
                }
            }
            try (var broker = new Broker(server.bootstrapServers())) {
                assertThat(broker.read(settings.topics().lifecycle()))
                        .extracting(record -> Integer.parseInt(new String(
                                record.headers().lastHeader("ce_sequence").value())))
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, 21).boxed().toList());
            }
        }
    }

    @Test
    void a_broker_that_was_never_there_is_an_answer_soon_and_no_end_of_the_sink() throws Exception {
        try (var sink = new KafkaSink(KafkaSettings.plain("127.0.0.1:1", "nobody"))) {
            assertThat(sink.send(message(1)))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("not present in metadata");
        }
    }
}
