package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The Kafka of the tour, as an order service and a listener elsewhere see it.
 *
 * @param servers bootstrap servers
 */
record Broker(String servers) {

    static final String ORDERS = "order.lifecycle.v1";
    static final String STOCK = "inventory.stock-change.v1";
    static final String LIFECYCLE = "inventory.lifecycle.v1";

    private static final String SOURCE = "/tour/orders";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Publishes an event of an order, and returns when the broker has it.
     *
     * @param id of the event; the same again is the same event again
     * @param data its fields
     */
    void publish(String type, String id, String order, Map<String, ?> data)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", id,
                        "ce_source", SOURCE,
                        "ce_type", type,
                        "content-type", "application/json")
                .forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", servers, "acks", "all"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(ORDERS, null, order, JSON.writeValueAsString(data), headers))
                    .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** The first message of this type about this reservation, as soon as it is there; empty when patience ends before. */
    Optional<JsonNode> told(String topic, String type, String reservation) throws IOException {
        long deadline = System.nanoTime() + Stage.PATIENCE.toNanos();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", servers),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    JsonNode data = JSON.readTree(record.value());
                    if (type.equals(text(record, "ce_type"))
                            && data.at("/reservation_id").asText().equals(reservation)) {
                        return Optional.of(data);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static String text(ConsumerRecord<String, String> record, String header) {
        return new String(record.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
    }
}
