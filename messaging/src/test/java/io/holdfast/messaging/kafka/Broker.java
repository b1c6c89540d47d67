package io.holdfast.messaging.kafka;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The other systems around a broker: they write events with the CloudEvents library, and read what comes. */
final class Broker implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String servers;
    private final KafkaProducer<byte[], byte[]> producer;

    Broker(String servers) {
        this.servers = servers;
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", servers);
        properties.put("acks", "all");
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Settings with topics and a group of one test's own; the topics exist. */
    KafkaSettings fresh(int partitions) throws Exception {
        return fresh(partitions, Map.of());
    }

    /** The same with topics that take records of so many bytes at most, from the first on. */
    KafkaSettings freshWithin(int bytes) throws Exception {
        return fresh(1, Map.of("max.message.bytes", Integer.toString(bytes)));
    }

    private KafkaSettings fresh(int partitions, Map<String, String> configuration) throws Exception {
        String name = "t" + COUNT.incrementAndGet() + "-" + Long.toHexString(System.nanoTime());
        KafkaSettings settings = KafkaSettings.plain(servers, name)
                .withTopics(new TopicNames(
                        name + ".orders",
                        name + ".schedule",
                        name + ".stock",
                        name + ".lifecycle",
                        name + ".requests"));
        List<NewTopic> topics = new ArrayList<>();
        for (String topic : settings.topics().all()) {
            topics.add(new NewTopic(topic, partitions, (short) 1).configs(configuration));
        }
        try (Admin admin = admin()) {
            admin.createTopics(topics).all().get(30, TimeUnit.SECONDS);
        }
        return settings;
    }

    /** Forgets how far a group has come; it must not be reading. True when that is done. */
    boolean forget(String group) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteConsumerGroups(List.of(group)).all().get(30, TimeUnit.SECONDS);
            return true;
        }
    }

    /** Drops what lies before an offset, as retention does. */
    void drop(String topic, int partition, long before) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    /** Divides a topic into more partitions. */
    void divide(String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", servers));
    }

    /** Publishes an order event as another system would; its data are written with single quotes. */
    void event(String topic, String key, String type, String id, String data) throws Exception {
        event(topic, null, key, type, id, data);
    }

    /** The same on a partition of one's choice. */
    void event(String topic, @Nullable Integer partition, String key, String type, String id, String data)
            throws Exception {
        CloudEvent event = CloudEventBuilder.v1()
                .withId(id)
                .withType(type)
                .withSource(URI.create("/orders"))
                .withDataContentType("application/json")
                .withData(data.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .build();
        ProducerRecord<Void, byte[]> written =
                KafkaMessageFactory.<Void>createWriter(topic).writeBinary(event);
        send(new ProducerRecord<>(topic, partition, bytes(key), written.value(), written.headers()));
    }

    void send(ProducerRecord<byte[], byte[]> record) throws Exception {
        producer.send(record).get(30, TimeUnit.SECONDS);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Everything that is on a topic now. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", servers);
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Collection<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
            }
        }
        return all;
    }

    /** How far a group has come, added up over the partitions. */
    long committed(String group) throws Exception {
        try (Admin admin = admin()) {
            return admin
                    .listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .values()
                    .stream()
                    .mapToLong(OffsetAndMetadata::offset)
                    .sum();
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
    }
}
