package io.holdfast.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.messaging.AsyncApi;
import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.MessageSink.Undeliverable;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
        Instant began = Instant.now().minusSeconds(1);
        try (var broker = new Broker(SharedStack.kafka().bootstrapServers())) {
            KafkaSettings settings = broker.fresh(2);
            try (var sink = new KafkaSink(settings)) {
                sink.begin().send(message(7)).get(30, TimeUnit.SECONDS);
                sink.begin().send(message(7)).get(30, TimeUnit.SECONDS);
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
            assertThat(Instant.ofEpochMilli(record.timestamp()))
                    .as("kept from when it was sent, however old it is")
                    .isAfter(began);
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

    private static List<Integer> numbers(Broker broker, KafkaSettings settings) {
        return broker.read(settings.topics().lifecycle()).stream()
                .map(record -> Integer.parseInt(
                        new String(record.headers().lastHeader("ce_sequence").value(), StandardCharsets.US_ASCII)))
                .toList();
    }

    /** As the publisher does: what is not acknowledged is given again, from the first such on. */
    private static void sendAll(KafkaSink sink, int from, int to) {
        var next = new AtomicInteger(from);
        await().atMost(Duration.ofSeconds(120)).until(() -> {
            MessageSink.Run run = sink.begin();
            List<CompletableFuture<Void>> sent = IntStream.rangeClosed(next.get(), to)
                    .mapToObj(number -> run.send(message(number)))
                    .toList();
            for (CompletableFuture<Void> answer : sent) {
                try {
                    answer.get(60, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    return false;
                }
                next.incrementAndGet();
            }
            return true;
        });
    }

    @Test
    void a_broker_that_is_away_and_comes_back_gets_everything_in_order() throws Exception {
        try (var server = KafkaServer.start(
                io.holdfast.localstack.KafkaSettings.in(SharedStack.freshFolder("kafka-that-goes-away")))) {
            KafkaSettings settings;
            try (var broker = new Broker(server.bootstrapServers())) {
                settings = broker.fresh(1);
            }
            try (var sink = new KafkaSink(settings)) {
                sendAll(sink, 1, 1);
                server.kill();
                MessageSink.Run run = sink.begin();
                List<CompletableFuture<Void>> sent = IntStream.rangeClosed(2, 21)
                        .mapToObj(number -> run.send(message(number)))
                        .toList();
                server.start();
                CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                        .exceptionally(_ -> null)
                        .get(60, TimeUnit.SECONDS);
                int acknowledged = (int) sent.stream()
                        .takeWhile(answer -> answer.state() == Future.State.SUCCESS)
                        .count();
                sendAll(sink, 2 + acknowledged, 21);
            }
            try (var broker = new Broker(server.bootstrapServers())) {
                assertThat(numbers(broker, settings).stream().distinct())
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, 21).boxed().toList());
            }
        }
    }

    @Test
    void what_is_known_to_be_too_large_before_it_is_sent_ends_nothing() throws Exception {
        try (var broker = new Broker(SharedStack.kafka().bootstrapServers())) {
            KafkaSettings settings = broker.fresh(1);
            try (var sink = new KafkaSink(settings)) {
                MessageSink.Run run = sink.begin();
                CompletableFuture<Void> before = run.send(message(1));
                OutgoingMessage small = message(2);
                CompletableFuture<Void> huge = run.send(new OutgoingMessage(
                        small.topic(),
                        small.id(),
                        small.type(),
                        small.key(),
                        small.subject(),
                        small.sequence(),
                        small.time(),
                        small.traceId(),
                        Map.of("note", "x".repeat(2_000_000))));
                CompletableFuture<Void> after = run.send(message(3));
                assertThat(huge.exceptionNow()).isInstanceOf(Undeliverable.class);
                assertThat(before).succeedsWithin(Duration.ofSeconds(30));
                assertThat(after).succeedsWithin(Duration.ofSeconds(30));
            }
            assertThat(numbers(broker, settings)).containsExactly(1, 3);
        }
    }

    @Test
    void a_message_that_fails_at_once_ends_the_run_for_every_topic() throws Exception {
        try (var broker = new Broker(SharedStack.kafka().bootstrapServers())) {
            KafkaSettings settings = broker.fresh(1);
            TopicNames names = settings.topics();
            KafkaSettings wrong = settings.withTopics(new TopicNames(
                    names.orders(), names.schedule(), "no such/name", names.lifecycle(), names.orderRequests()));
            try (var sink = new KafkaSink(wrong)) {
                MessageSink.Run run = sink.begin();
                assertThat(run.send(message(1))).succeedsWithin(Duration.ofSeconds(30));
                OutgoingMessage other = message(2);
                assertThat(run.send(new OutgoingMessage(
                                OutTopic.STOCK_CHANGE,
                                other.id(),
                                other.type(),
                                other.key(),
                                other.subject(),
                                other.sequence(),
                                other.time(),
                                other.traceId(),
                                other.data())))
                        .isCompletedExceptionally();
                assertThat(run.send(message(3))).isCompletedExceptionally();
                assertThat(numbers(broker, settings)).containsExactly(1);
                sendAll(sink, 3, 4);
                assertThat(numbers(broker, settings)).containsExactly(1, 3, 4);
            }
        }
    }

    @Test
    void what_is_under_way_in_a_run_that_is_abandoned_fails_soon() throws Exception {
        try (var server = KafkaServer.start(
                io.holdfast.localstack.KafkaSettings.in(SharedStack.freshFolder("kafka-that-is-left")))) {
            KafkaSettings settings;
            try (var broker = new Broker(server.bootstrapServers())) {
                settings = broker.fresh(1);
            }
            try (var sink = new KafkaSink(settings)) {
                sendAll(sink, 1, 1);
                server.kill();
                MessageSink.Run run = sink.begin();
                List<CompletableFuture<Void>> sent = IntStream.rangeClosed(2, 10)
                        .mapToObj(number -> run.send(message(number)))
                        .toList();
                run.abandon();
                run.abandon();
                assertThat(sent).allSatisfy(answer -> assertThat(answer).failsWithin(Duration.ofSeconds(30)));
            }
        }
    }

    @Test
    void a_broker_that_was_never_there_is_an_answer_soon_and_no_end_of_the_sink() throws Exception {
        try (var sink = new KafkaSink(KafkaSettings.plain("127.0.0.1:1", "nobody"))) {
            for (int i = 0; i < 2; i++) {
                assertThat(sink.begin().send(message(1)))
                        .failsWithin(Duration.ofSeconds(20))
                        .withThrowableThat()
                        .withMessageContaining("not present in metadata");
            }
        }
    }
}
