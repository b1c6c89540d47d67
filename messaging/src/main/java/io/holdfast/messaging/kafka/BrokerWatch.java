package io.holdfast.messaging.kafka;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker now and then how we stand with it, on a thread of its own: whoever wants to know gets the last reading and never waits.
 * Of a broker that does not answer there is no reading.
 */
public final class BrokerWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int POLLS = 5;

    /** For a reading that is under way; a broker that is away would take longer. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final KafkaSettings settings;
    private final Clients clients;
    private final Topics topics;
    private final DeadLetters deadLetters;
    private final InstantSource clock;
    private final Duration interval;
    private final OptionalInt newPartitions;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast broker watch").factory());
    private volatile Optional<BrokerReading> latest = Optional.empty();
    private volatile String trouble = "it has not been asked yet";

    /**
     * A watch.
     *
     * @param interval between two readings
     * @param newPartitions of topics that it creates where it finds them missing; empty to leave that to whoever keeps the broker
     */
    public BrokerWatch(KafkaSettings settings, InstantSource clock, Duration interval, OptionalInt newPartitions) {
        this.settings = settings;
        this.clients = new Clients(settings);
        this.topics = new Topics(settings);
        this.deadLetters = new DeadLetters(settings);
        this.clock = clock;
        this.interval = interval;
        this.newPartitions = newPartitions;
    }

    /** Begins. Once. */
    public void start() {
        thread.scheduleWithFixedDelay(this::ask, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The last reading; empty while the broker does not answer. */
    public Optional<BrokerReading> latest() {
        return latest;
    }

    /** What is wrong with the broker, if something is. */
    public Optional<String> trouble() {
        return latest.<Optional<String>>map(reading -> reading.missing().isEmpty()
                        ? Optional.empty()
                        : Optional.of("missing topics: " + reading.missing()))
                .orElseGet(() -> Optional.of(trouble));
    }

    private void ask() {
        try {
            latest = Optional.of(read());
        } catch (RuntimeException e) {
            if (latest.isPresent()) {
                LOG.warn("the broker does not answer: {}", e.getMessage());
            }
            trouble = "it does not answer";
            latest = Optional.empty();
        }
    }

    private BrokerReading read() {
        Instant at = clock.instant();
        List<String> missing = missingNow();
        Map<String, BrokerReading.Lag> lags = new HashMap<>();
        try (var consumer = clients.reader(settings.group())) {
            for (String topic : settings.topics().in()) {
                if (!missing.contains(topic)) {
                    lags.put(topic, lag(consumer, topic));
                }
            }
        }
        return new BrokerReading(at, lags, deadLetters.counts(), Topics.shown(missing));
    }

    private List<String> missingNow() {
        List<String> missing = topics.missing();
        if (missing.isEmpty() || newPartitions.isEmpty()) {
            return missing;
        }
        topics.create(newPartitions.getAsInt());
        return topics.missing();
    }

    private BrokerReading.Lag lag(Consumer<byte[], byte[]> consumer, String topic) {
        long events = 0;
        Map<TopicPartition, Long> behind = new HashMap<>();
        for (Stretch stretch : Stretch.of(consumer, topic)) {
            if (stretch.waiting() > 0) {
                events += stretch.waiting();
                behind.put(stretch.partition(), stretch.next());
            }
        }
        return new BrokerReading.Lag(events, behind.isEmpty() ? Duration.ZERO : oldest(consumer, behind));
    }

    /** The age of the oldest first event of these partitions. */
    private Duration oldest(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> behind) {
        consumer.assign(behind.keySet());
        behind.forEach(consumer::seek);
        Set<TopicPartition> unseen = new HashSet<>(behind.keySet());
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < POLLS && !unseen.isEmpty(); i++) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (unseen.remove(new TopicPartition(record.topic(), record.partition()))) {
                    earliest = Math.min(earliest, record.timestamp());
                }
            }
            consumer.pause(consumer.assignment().stream()
                    .filter(partition -> !unseen.contains(partition))
                    .toList());
        }
        long age = earliest == Long.MAX_VALUE ? 0 : clock.millis() - earliest;
        return Duration.ofMillis(Math.max(0, age));
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            // A consumer that is interrupted while it closes says so as an error.
            if (thread.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
    }
}
