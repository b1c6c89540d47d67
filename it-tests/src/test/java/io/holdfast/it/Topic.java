package io.holdfast.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic as it is on the broker. One consumer reads it and goes on where it was: tests look often. */
final class Topic implements AutoCloseable {

    /** How soon a partition that was added is seen. */
    private static final Duration METADATA_AGE = Duration.ofMillis(500);

    private final String name;
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();

    Topic(String bootstrapServers, String name) {
        this.name = name;
        this.consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", bootstrapServers, "metadata.max.age.ms", (int) METADATA_AGE.toMillis()),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    /** All its records so far. */
    synchronized List<ConsumerRecord<String, byte[]>> records() {
        Map<TopicPartition, Long> ends = ends();
        Set<TopicPartition> added = new HashSet<>(ends.keySet());
        added.removeAll(consumer.assignment());
        if (!added.isEmpty()) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(added);
        }
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(200)).forEach(read::add);
        }
        return List.copyOf(read);
    }

    /** Where each of its partitions ends. */
    synchronized Map<TopicPartition, Long> ends() {
        return consumer.endOffsets(consumer.partitionsFor(name).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .collect(Collectors.toSet()));
    }

    @Override
    public synchronized void close() {
        consumer.close();
    }
}
