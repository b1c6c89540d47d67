package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.messaging.AsyncApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringSerializer;

/** A site whose nodes speak with a broker, on topics of its own, and what an order service and whoever keeps stock elsewhere do there. */
final class KafkaShop implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AsyncApi DOCUMENT = AsyncApi.load();

    /** A test that runs again needs topics of its own again. */
    private static final AtomicInteger SHOPS = new AtomicInteger();

    final Site site;
    private final String bootstrapServers;
    private final String name;
    private final KafkaProducer<String, String> orders;
    private final Admin admin;
    private final Map<String, Announcements> topics = new ConcurrentHashMap<>();

    KafkaShop(KafkaServer broker, String name, Map<String, String> more) {
        this.bootstrapServers = broker.bootstrapServers();
        this.name = name + SHOPS.incrementAndGet();
        this.site = Site.open(this.name, settings())
                .with(Map.of("HOLDFAST_KAFKA_TOPICS_ORDER_REQUESTS", topic("requests")))
                .with(more);
        this.orders = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers, "acks", "all"),
                new StringSerializer(),
                new StringSerializer());
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    private Map<String, String> settings() {
        return Map.of(
                "HOLDFAST_KAFKA_ENABLED",
                "true",
                "HOLDFAST_KAFKA_SESSION_TIMEOUT",
                "6s",
                "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS",
                bootstrapServers,
                "HOLDFAST_KAFKA_PROTOCOL",
                "plaintext",
                "HOLDFAST_KAFKA_GROUP",
                name,
                "HOLDFAST_KAFKA_TOPICS_ORDERS",
                topic("orders"),
                "HOLDFAST_KAFKA_TOPICS_SCHEDULE",
                topic("schedule"),
                "HOLDFAST_KAFKA_TOPICS_STOCK_CHANGE",
                topic("stock"),
                "HOLDFAST_KAFKA_TOPICS_LIFECYCLE",
                topic("lifecycle"),
                "HOLDFAST_POSTGRES_CONNECT_TIMEOUT",
                "1s");
    }

    /** The same, as lines of a settings file. */
    String lines() {
        return """
            kafka {
              enabled = true
              bootstrap-servers = "%s"
              protocol = plaintext
              group = %s
              session-timeout = 6s
              topics { orders = %s, schedule = %s, stock-change = %s, lifecycle = %s, order-requests = %s }
            }
            """.formatted(
                        bootstrapServers,
                        name,
                        topic("orders"),
                        topic("schedule"),
                        topic("stock"),
                        topic("lifecycle"),
                        topic("requests"));
    }

    String topic(String kind) {
        return name + "." + kind;
    }

    void event(String order, String type, String id, String data) throws Exception {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", id,
                        "ce_source", "/orders",
                        "ce_type", type,
                        "content-type", "application/json")
                .forEach((header, value) -> headers.add(header, value.getBytes(StandardCharsets.UTF_8)));
        orders.send(new ProducerRecord<>(topic("orders"), null, order, data.replace('\'', '"'), headers))
                .get(30, TimeUnit.SECONDS);
    }

    /** News of the order of an item, by its line. */
    void news(String type, String item) throws Exception {
        event(
                "order-" + item,
                type,
                type + "-" + item,
                "{'order_id':'order-" + item + "','lines':[{'merchant':'" + Client.MERCHANT
                        + "','dish':'dish','order_item_id':'" + item + "'}]}");
    }

    /** Events that its node has acknowledged. */
    long committed() throws Exception {
        return admin
                .listConsumerGroupOffsets(name)
                .partitionsToOffsetAndMetadata()
                .get(30, TimeUnit.SECONDS)
                .values()
                .stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    /** What was announced on a topic so far: all of it as it is documented. */
    List<Message> announced(String kind) {
        return topics.computeIfAbsent(kind, _ -> new Announcements(new Topic(bootstrapServers, topic(kind))))
                .soFar();
    }

    /** Each record is read and held against the document once, however often a test looks. */
    private static final class Announcements implements AutoCloseable {
        private final Topic topic;
        private final List<Message> read = new ArrayList<>();

        Announcements(Topic topic) {
            this.topic = topic;
        }

        synchronized List<Message> soFar() {
            var records = topic.records();
            records.subList(read.size(), records.size()).forEach(record -> read.add(Message.of(record)));
            return List.copyOf(read);
        }

        @Override
        public void close() {
            topic.close();
        }
    }

    /** Under which ids something was sent, by its key. */
    Map<String, Set<String>> idsByKey(String kind) {
        try (var topic = new Topic(bootstrapServers, topic(kind))) {
            return topic.records().stream()
                    .collect(Collectors.groupingBy(
                            ConsumerRecord::key,
                            Collectors.mapping(
                                    record -> new String(
                                            record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8),
                                    Collectors.toSet())));
        }
    }

    String status(String item) {
        return site.client().look("dish", item).text("/status");
    }

    @Override
    public void close() {
        orders.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
        topics.values().forEach(Announcements::close);
        site.close();
    }

    /** One that was announced. */
    record Message(String id, String type, String key, long sequence, JsonNode data) {
        static Message of(ConsumerRecord<String, byte[]> record) {
            Map<String, String> headers = new HashMap<>();
            record.headers()
                    .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            try {
                var message = new Message(
                        headers.get("ce_id"),
                        headers.get("ce_type"),
                        record.key(),
                        Long.parseLong(headers.get("ce_sequence")),
                        JSON.readTree(record.value()));
                assertThat(DOCUMENT.headerFaults(message.type(), headers))
                        .as("headers of %s", message)
                        .isEmpty();
                assertThat(DOCUMENT.payloadFaults(message.type(), message.data()))
                        .as("%s", message)
                        .isEmpty();
                assertThat(message.key()).as("key of %s", message).isEqualTo(headers.get("ce_partitionkey"));
                return message;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String text(String pointer) {
            return data.at(pointer).asText();
        }
    }

    /** The first sending of each message: any may come again. */
    static List<Message> eachOnce(List<Message> messages) {
        Set<String> seen = new HashSet<>();
        return messages.stream().filter(message -> seen.add(message.id())).toList();
    }

    static void awaitThat(String what, Callable<Boolean> fact) {
        // At once, since much is so already; then not too often, since who waits shares its processor with who is
        // waited for.
        await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(200))
                .until(fact);
    }
}
