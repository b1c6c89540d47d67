package io.holdfast.chaos;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringSerializer;

/** An order system that tells over Kafka what became of its orders. */
final class OrderNews implements AutoCloseable {

    static final String TOPIC = "order.lifecycle.v1";

    /** Longer than the producer tries. */
    private static final int PATIENCE_SECONDS = 40;

    private final History history;
    private final KafkaProducer<String, String> producer;

    OrderNews(History history, String bootstrapServers) {
        this.history = history;
        this.producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", bootstrapServers,
                        "acks", "all",
                        "enable.idempotence", true,
                        "reconnect.backoff.max.ms", 500,
                        "delivery.timeout.ms", 35_000,
                        "request.timeout.ms", 5_000,
                        "max.block.ms", 35_000),
                new StringSerializer(),
                new StringSerializer());
    }

    void created(String reservation, String order) throws InterruptedException {
        tell(Kind.TELL_CREATED, "OrderCreated", reservation, order);
    }

    void failed(String reservation, String order) throws InterruptedException {
        tell(Kind.TELL_FAILED, "OrderCreatedFailed", reservation, order);
    }

    private void tell(Kind kind, String type, String reservation, String order) throws InterruptedException {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", type + "-" + order,
                        "ce_source", "/chaos",
                        "ce_type", type,
                        "content-type", "application/json")
                .forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
        String data = "{\"order_id\":\"" + order + "\",\"inventory_reservation_ids\":[\"" + reservation + "\"]}";
        long from = history.now();
        String why = sent(new ProducerRecord<>(TOPIC, null, order, data, headers));
        history.add(new Op(
                from,
                history.now(),
                kind,
                reservation,
                "",
                0,
                "",
                why.isEmpty() ? Told.DONE : Told.UNKNOWN,
                "",
                -1,
                why));
    }

    /** Why it is not known to be on the topic; empty if it is. */
    private String sent(ProducerRecord<String, String> message) throws InterruptedException {
        try {
            producer.send(message).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return "";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause());
        } catch (TimeoutException e) {
            return "no acknowledgement";
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
    }
}
