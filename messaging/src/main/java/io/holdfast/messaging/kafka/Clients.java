package io.holdfast.messaging.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's clients, each bounded in memory and in how long it may keep a caller. */
final class Clients {

    /** How long a question to a broker may take. */
    private static final int ANSWER_WITHIN = 5_000;

    private static final int HEARTBEATS_A_SESSION = 5;
    /** A partition that is added to a topic is seen after this at the latest; Kafka's own five minutes are long for an order that waits. */
    private static final int PARTITIONS_ASKED_EVERY = 30_000;

    private static final int MOST_FETCHED = 16 * 1024 * 1024;
    private static final long SEND_BUFFER = 16L * 1024 * 1024;
    private static final int PUBLISHED_BATCH = 64 * 1024;
    private static final int LARGEST_RECORD = 1024 * 1024;
    private static final int DEAD_LETTER_WITHIN = 30_000;

    private final KafkaSettings settings;

    Clients(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Of the group's consumer. Bytes only: what can't be read must not break the client. */
    Map<String, String> consuming() {
        Map<String, String> properties = reading();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        long session = settings.sessionTimeout().toMillis();
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Long.toString(session));
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Long.toString(session / HEARTBEATS_A_SESSION));
        return properties;
    }

    private Map<String, String> reading() {
        Map<String, String> properties = new HashMap<>(settings.connection());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        // A position that is lost must not skip a cancellation; what is read twice changes nothing.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(Math.min(500, settings.buffer())));
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(MOST_FETCHED));
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Integer.toString(ANSWER_WITHIN));
        properties.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, Integer.toString(PARTITIONS_ASKED_EVERY));
        return properties;
    }

    /** A consumer that is assigned its partitions, and whose positions are those of this group. */
    Consumer<byte[], byte[]> reader(String group) {
        Map<String, Object> properties = new HashMap<>(reading());
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_WITHIN);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * The producer of what is announced. It never gives a message up by itself, and while one is on its way none that follows it is:
     * otherwise later ones of a key could overtake it. What that costs, larger batches give back.
     */
    Producer<byte[], byte[]> publishing() {
        Map<String, Object> properties = sending();
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, PUBLISHED_BATCH);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A producer whose caller tries again by itself. */
    Producer<byte[], byte[]> forwarding() {
        Map<String, Object> properties = sending();
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DEAD_LETTER_WITHIN);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Map<String, Object> sending() {
        Map<String, Object> properties = new HashMap<>(settings.connection());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER_WITHIN);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, SEND_BUFFER);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_RECORD);
        return properties;
    }

    Admin admin() {
        Map<String, Object> properties = new HashMap<>(settings.connection());
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_WITHIN);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_WITHIN);
        return Admin.create(properties);
    }
}
