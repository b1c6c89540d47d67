package io.holdfast.bench.kafka;

import io.holdfast.bench.PoolSet;
import io.holdfast.reservation.domain.Line;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringSerializer;

/** Events that say of many orders, each of one line, that they were created. */
public final class OrderNews implements AutoCloseable {

    private final KafkaProducer<String, String> producer;

    /** To this broker, which acknowledges when it has stored. */
    public OrderNews(String bootstrapServers) {
        this.producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers, "acks", "all", "linger.ms", "5"),
                new StringSerializer(),
                new StringSerializer());
    }

    /**
     * Sends the news of the orders of these operations, and waits until the broker has stored all.
     *
     * @return how many seconds that took
     */
    public double send(String topic, PoolSet pools, long from, long to) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (long number = from; number < to; number++) {
            records.add(created(topic, pools.line(number)));
        }
        List<Future<RecordMetadata>> stored = new ArrayList<>(records.size());
        long began = System.nanoTime();
        for (ProducerRecord<String, String> record : records) {
            stored.add(producer.send(record));
        }
        producer.flush();
        double seconds = (System.nanoTime() - began) / 1e9;
        for (Future<RecordMetadata> one : stored) {
            one.get(); // throws what went wrong
        }
        return seconds;
    }

    private static ProducerRecord<String, String> created(String topic, Line line) {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", "created-" + line.reservationId(),
                        "ce_source", "/bench",
                        "ce_type", "OrderCreated",
                        "content-type", "application/json")
                .forEach((header, value) -> headers.add(header, value.getBytes(StandardCharsets.UTF_8)));
        String data = "{\"order_id\":\"" + line.orderId() + "\",\"lines\":[{\"merchant\":\"" + line.merchant()
                + "\",\"dish\":\"" + line.dish() + "\",\"order_item_id\":\"" + line.orderItemId() + "\"}]}";
        return new ProducerRecord<>(topic, null, line.orderId(), data, headers);
    }

    @Override
    public void close() {
        producer.close();
    }
}
