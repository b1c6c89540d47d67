package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** An instant order: held over HTTP, confirmed by an event, and told to whoever keeps stock elsewhere. */
final class KafkaOrderStep implements Step {

    private static final String DISH = "edamame";
    private static final String ITEM = "item-kafka";
    private static final String ORDERS = "order.lifecycle.v1";
    private static final String STOCK = "inventory.stock-change.v1";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String title() {
        return "An instant order over Kafka: held by HTTP, confirmed by an event, twice";
    }

    @Override
    public void walk(Stage stage) throws Exception {
        if (stage.kafka().isEmpty()) {
            stage.report().saw("this stack has no Kafka; the step is left out");
            return;
        }
        String servers = stage.kafka().get();
        stage.create(DISH, 10);
        stage.hold(DISH, ITEM, 2);
        String id = Stage.idOf(DISH, ITEM);
        try (var orders = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", servers, "acks", "all"),
                new StringSerializer(),
                new StringSerializer())) {
            for (int copy = 0; copy < 2; copy++) {
                stage.report().does("publish OrderCreated evt-1 of " + Stage.ORDER + " to " + ORDERS);
                orders.send(created()).get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
        var confirmed = Wait.until(
                Stage.PATIENCE,
                () -> stage.reservation(id),
                answer -> answer.text("/status").equals("CONFIRMED"));
        Optional<JsonNode> told = stockChange(servers, id);
        var pool = stage.look(DISH);
        var report = stage.report();
        told.ifPresent(message -> report.saw("from " + STOCK + ": " + message));
        report.check("the event confirms the hold", confirmed.text("/status").equals("CONFIRMED"));
        report.check("2 units are sold, once", Numbers.of(pool).equals(new Numbers(8, 0, 2)));
        report.check(
                "the stock change is told with what moved and the numbers after",
                told.filter(message -> message.at("/sold_delta").asLong() == 2
                                && message.at("/after/sold").asLong() == 2
                                && message.at("/after/available").asLong() == 8)
                        .isPresent());
    }

    private static ProducerRecord<String, String> created() {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", "evt-1",
                        "ce_source", "/tour/orders",
                        "ce_type", "OrderCreated",
                        "content-type", "application/json")
                .forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
        return new ProducerRecord<>(
                ORDERS,
                null,
                Stage.ORDER,
                ("{\"order_id\":\"%s\",\"lines\":[{\"merchant\":\"%s\",\"dish\":\"%s\",\"order_item_id\":\"%s\","
                                + "\"quantity\":2}]}")
                        .formatted(Stage.ORDER, Stage.MERCHANT, DISH, ITEM),
                headers);
    }

    /** What was told of the confirmation of this reservation, as soon as it is. */
    private static Optional<JsonNode> stockChange(String servers, String reservation) throws IOException {
        long deadline = System.nanoTime() + Stage.PATIENCE.toNanos();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", servers),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(STOCK).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    Header type = record.headers().lastHeader("ce_type");
                    JsonNode data = JSON.readTree(record.value());
                    if (new String(type.value(), StandardCharsets.UTF_8).equals("InventoryRedisConfirmed")
                            && data.at("/reservation_id").asText().equals(reservation)) {
                        return Optional.of(data);
                    }
                }
            }
        }
        return Optional.empty();
    }
}
