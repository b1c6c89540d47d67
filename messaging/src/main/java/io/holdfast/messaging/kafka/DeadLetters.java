package io.holdfast.messaging.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits on the dead-letter topics. Up to where it was replayed is remembered by the broker, as the position of a group of its own, so
 * every node and the command line see the same. All methods block, and throw {@link KafkaException} when the broker can't be asked.
 */
public final class DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final Duration POLL = Duration.ofMillis(500);
    /** Polls in a row that may bring nothing although something is there. */
    private static final int PATIENCE = 20;

    private final KafkaSettings settings;
    private final Clients clients;

    public DeadLetters(KafkaSettings settings) {
        this.settings = settings;
        this.clients = new Clients(settings);
    }

    /**
     * What a replay did.
     *
     * @param sent events sent to their topic again
     * @param gone events whose value had been left out as too large, and which are not on their topic any more
     */
    public record Replayed(int sent, int gone) {}

    /** How many wait, by the topic they were read from. */
    public Map<String, Long> counts() {
        try (var consumer = reader()) {
            Map<String, Long> counts = new HashMap<>();
            for (String source : settings.topics().in()) {
                counts.put(
                        source,
                        waiting(consumer, source).stream()
                                .mapToLong(Stretch::waiting)
                                .sum());
            }
            return counts;
        }
    }

    /**
     * Those that wait, in the order in which they were given up.
     *
     * @param source the topic they were read from
     * @param limit at most so many
     */
    public List<DeadLetter> list(String source, int limit) {
        List<DeadLetter> letters = new ArrayList<>();
        try (var consumer = reader()) {
            each(consumer, waiting(consumer, source), records -> {
                for (var record : records) {
                    letters.add(letter(record, source));
                }
                return letters.size() < limit;
            });
        }
        letters.sort(Comparator.comparing(DeadLetter::at));
        return List.copyOf(letters.subList(0, Math.min(limit, letters.size())));
    }

    /**
     * Sends all that wait to the topic they came from, unchanged, under their own ids. What still can't be understood becomes a dead letter
     * again. Broken off in the middle, it sends some twice when it is asked again; that does nothing.
     */
    public Replayed replay(String source) {
        try (var consumer = reader();
                var producer = clients.forwarding()) {
            int partitions = producer.partitionsFor(source).size();
            var counter = new int[2];
            each(consumer, waiting(consumer, source), records -> {
                List<Future<RecordMetadata>> answers = new ArrayList<>();
                Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
                for (var record : records) {
                    Optional<byte[]> value = value(record, source);
                    if (value.isPresent()) {
                        answers.add(producer.send(original(record, value.get(), source, partitions)));
                        counter[0]++;
                    } else {
                        counter[1]++;
                        LOG.warn("dead letter {} was too large to be kept and is not on its topic any more", record);
                    }
                    done.put(
                            new TopicPartition(record.topic(), record.partition()),
                            new OffsetAndMetadata(record.offset() + 1));
                }
                await(answers, producer);
                consumer.commitSync(done);
                return true;
            });
            return new Replayed(counter[0], counter[1]);
        }
    }

    private static void await(List<Future<RecordMetadata>> answers, Producer<byte[], byte[]> producer) {
        producer.flush();
        for (Future<RecordMetadata> answer : answers) {
            try {
                answer.get();
            } catch (ExecutionException e) {
                throw new KafkaException("a dead letter could not be sent", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("interrupted", e);
            }
        }
    }

    // ---- reading

    private Consumer<byte[], byte[]> reader() {
        return clients.reader(settings.group() + ".dead-letters");
    }

    private static List<Stretch> waiting(Consumer<byte[], byte[]> consumer, String source) {
        return Stretch.of(consumer, TopicNames.deadLettersOf(source));
    }

    private interface Batch {
        /** False to stop. */
        boolean take(List<ConsumerRecord<byte[], byte[]>> records);
    }

    private static void each(Consumer<byte[], byte[]> consumer, List<Stretch> stretches, Batch batch) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Stretch stretch : stretches) {
            if (stretch.waiting() > 0) {
                ends.put(stretch.partition(), stretch.end());
            }
        }
        consumer.assign(ends.keySet());
        stretches.stream()
                .filter(stretch -> ends.containsKey(stretch.partition()))
                .forEach(stretch -> consumer.seek(stretch.partition(), stretch.next()));
        int silent = 0;
        while (!ends.isEmpty()) {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (var record : consumer.poll(POLL)) {
                Long end = ends.get(new TopicPartition(record.topic(), record.partition()));
                if (end != null && record.offset() < end) {
                    records.add(record);
                }
            }
            if (!records.isEmpty() && !batch.take(records)) {
                return;
            }
            boolean moved = ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            silent = records.isEmpty() && !moved ? silent + 1 : 0;
            if (silent > PATIENCE) {
                throw new KafkaException("the broker does not bring what it says it has");
            }
        }
    }

    private static DeadLetter letter(ConsumerRecord<byte[], byte[]> record, String source) {
        Optional<String> id = header(record, "ce_id");
        Optional<String> eventSource = header(record, "ce_source");
        return new DeadLetter(
                record.topic(),
                record.partition(),
                record.offset(),
                header(record, DeadLetterWriter.TOPIC).orElse(source),
                header(record, DeadLetterWriter.PARTITION)
                        .flatMap(DeadLetters::number)
                        .map(Long::intValue),
                header(record, DeadLetterWriter.OFFSET).flatMap(DeadLetters::number),
                header(record, DeadLetterWriter.REASON).orElse("?"),
                header(record, DeadLetterWriter.DETAIL).orElse("?"),
                header(record, DeadLetterWriter.AT).orElse("?"),
                id.flatMap(present -> eventSource.map(from -> from + " " + present)),
                header(record, "ce_type"),
                Records.text(record.key()));
    }

    private static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? Optional.empty() : Records.text(header.value());
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    // ---- sending again

    /** To the partition it was in, if there still is one: there its key's other events are. */
    private static ProducerRecord<byte[], byte[]> original(
            ConsumerRecord<byte[], byte[]> record, byte[] value, String source, int partitions) {
        var headers = new RecordHeaders();
        for (Header header : record.headers()) {
            if (!header.key().startsWith(DeadLetterWriter.OURS)) {
                headers.add(header);
            }
        }
        Integer partition = header(record, DeadLetterWriter.PARTITION)
                .flatMap(DeadLetters::number)
                .map(Long::intValue)
                .filter(number -> number < partitions)
                .orElse(null);
        return new ProducerRecord<>(source, partition, record.key(), value.length == 0 ? null : value, headers);
    }

    /** Empty when it was left out and is gone; an empty array for an event without a value. */
    private Optional<byte[]> value(ConsumerRecord<byte[], byte[]> record, String source) {
        if (header(record, DeadLetterWriter.LEFT_OUT).isEmpty()) {
            return Optional.of(record.value() == null ? new byte[0] : record.value());
        }
        Optional<Long> partition = header(record, DeadLetterWriter.PARTITION).flatMap(DeadLetters::number);
        Optional<Long> offset = header(record, DeadLetterWriter.OFFSET).flatMap(DeadLetters::number);
        if (partition.isEmpty() || offset.isEmpty()) {
            return Optional.empty();
        }
        var place = new TopicPartition(source, partition.get().intValue());
        try (var consumer = reader()) {
            boolean there = Stretch.of(consumer, source).stream()
                    .anyMatch(stretch -> stretch.partition().equals(place)
                            && stretch.begin() <= offset.get()
                            && offset.get() < stretch.end());
            if (!there) {
                return Optional.empty();
            }
            consumer.assign(Set.of(place));
            consumer.seek(place, offset.get());
            for (int i = 0; i < PATIENCE; i++) {
                var found = consumer.poll(POLL).iterator();
                if (found.hasNext()) {
                    var first = found.next();
                    return first.offset() == offset.get() ? Optional.ofNullable(first.value()) : Optional.empty();
                }
            }
            throw new KafkaException("the broker does not bring " + place + " at " + offset.get());
        }
    }
}
