package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.config.GateSection;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.localstack.SharedStack;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.redis.RedisClientSettings;
import io.holdfast.lua.redis.RedisStockScripts;
import io.holdfast.lua.redis.ScriptListener;
import io.holdfast.node.Node;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.entity.EntityAdoptions;
import io.holdfast.reservation.entity.HandOver;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A site that sells by a gate, with one node, a broker, and what whoever buys, pays or watches there would see. */
final class SaleSite implements AutoCloseable {

    static final String ACTIVITY = "spring";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int KEY_VERSION = 1;

    private final String name;
    private final int sandboxPort = freePort();
    private final HttpClient http = HttpClient.newHttpClient();
    private final InstantSource clock = () -> Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final SaleKeys keys =
            new SaleKeys(Map.of(KEY_VERSION, HexFormat.of().parseHex(GateSection.OF_DEVELOPMENT.reveal())));
    private final KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", SharedStack.kafka().bootstrapServers(), "acks", "all"),
            new StringSerializer(),
            new ByteArraySerializer());
    private final Admin admin =
            Admin.create(Map.of("bootstrap.servers", SharedStack.kafka().bootstrapServers()));
    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    final Site site;
    final Node node;
    private final RedisStockScripts scripts;
    private final HandOver handOver;

    private SaleSite(String name, Map<String, String> more) {
        this.name = name;
        this.site = Site.open(name, settings()).with(more);
        this.node = site.startNode();
        this.scripts = new RedisStockScripts(
                new RedisClientSettings(
                        List.of(site.environment().get("HOLDFAST_REDIS_URL")),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), 2, 0),
                        Duration.ofSeconds(1),
                        1000),
                ScriptListener.NONE);
        this.handOver =
                new HandOver(scripts, keys, adopt -> new EntityAdoptions(node.reservations()).adopt(adopt), clock);
    }

    static SaleSite open(String name, Map<String, String> more) {
        return new SaleSite(name, more);
    }

    /** Settings of a node that makes orders itself, paid for in a sandbox. */
    static Map<String, String> builtIn() {
        return Map.of(
                "HOLDFAST_ORDERS_SERVICE_KIND", "built-in",
                "HOLDFAST_ORDERS_SERVICE_PAYMENTS_PROVIDER", "sandbox",
                "HOLDFAST_ORDERS_ASK_FIRST", "1s");
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of(
                "HOLDFAST_KAFKA_ENABLED",
                "true",
                "HOLDFAST_KAFKA_SESSION_TIMEOUT",
                "6s",
                "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS",
                SharedStack.kafka().bootstrapServers(),
                "HOLDFAST_KAFKA_PROTOCOL",
                "plaintext",
                "HOLDFAST_KAFKA_GROUP",
                name,
                "HOLDFAST_ORDERS_SERVICE_PAYMENTS_SANDBOX_PORT",
                Integer.toString(sandboxPort)));
        for (String topic : List.of("orders", "schedule", "stock-change", "lifecycle", "order-requests")) {
            settings.put(
                    "HOLDFAST_KAFKA_TOPICS_" + topic.replace('-', '_').toUpperCase(java.util.Locale.ROOT),
                    topic(topic));
        }
        return settings;
    }

    String topic(String kind) {
        return name + "." + kind;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Client client() {
        return site.client();
    }

    // ---- selling

    static PoolId pool(String sku) {
        return PoolId.parse(ACTIVITY + ":" + sku);
    }

    private static Sale sale(Instant now, long perBuyer) {
        return new Sale(perBuyer, now.minusSeconds(60), now.plusSeconds(3600), KEY_VERSION);
    }

    /** A sale of so many units, of which a buyer may have five. */
    void sell(String sku, long units) {
        sell(sku, units, 5);
    }

    /** A sale of so many units. */
    void sell(String sku, long units, long perBuyer) {
        pool(
                sku,
                new PoolOperation.Init(
                        "init-" + sku, units, Optional.empty(), Optional.of(sale(clock.instant(), perBuyer))));
    }

    /** An operation of the pool of a sale. */
    void pool(String sku, PoolOperation operation) {
        var done = node.pools()
                .ask(
                        pool(sku).value(),
                        new Cause(operation.operationId(), "", Cause.Kind.REQUEST, "test", Optional.empty()),
                        operation,
                        Duration.ofSeconds(20))
                .toCompletableFuture()
                .join();
        assertThat(done.toString()).contains("Done");
    }

    /** Id of the reservation, and of the order, of a request. */
    String id(String sku, String user, String request) {
        return keys.reservation(KEY_VERSION, ACTIVITY, sku, user, request);
    }

    /** Lets a buyer in and hands the hold over. */
    String admit(String sku, String user, String request, Duration deadline) {
        Instant now = clock.instant();
        String id = id(sku, user, request);
        Outcome<AdmitReply> answer = scripts.admit(
                        new AdmitRequest(pool(sku).value(), 1, id, user, request, 1, now.plus(deadline), now, now))
                .toCompletableFuture()
                .join();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Outcome.Known.class, known -> assertThat(known.value()).isInstanceOf(AdmitReply.Queued.class));
        handOver.all(pool(sku), 1, Optional.of(sale(now, 5)))
                .toCompletableFuture()
                .join();
        return id;
    }

    /** Asks at the gate over HTTP; whoever gets no answer, or hears that nobody knows, asks again. */
    CompletableFuture<Client.Answer> ask(Client client, String sku, String user, String request) {
        return client.postAsync(
                        "/v1/sales/" + ACTIVITY + "/skus/" + sku + "/reservations",
                        Map.of("user_id", user, "request_id", request),
                        Map.of())
                .thenCompose(answer -> answer.status() == 0 || answer.code().equals("OUTCOME_UNKNOWN")
                        ? ask(client, sku, user, request)
                        : CompletableFuture.completedFuture(answer));
    }

    /** Takes a hold back past the node, as its reservation would after its order was rejected. */
    CompletionStage<Outcome<CancelReply>> release(String sku, String reservation) {
        return scripts.cancel(new CancelRequest(
                pool(sku).value(), 1, reservation, "RELEASE:" + reservation, 1, true, true, clock.instant()));
    }

    String admit(String sku, String user, String request) {
        return admit(sku, user, request, Duration.ofMinutes(5));
    }

    /** Lets a buyer in whose order is made. */
    String order(String sku, String user) {
        String id = admit(sku, user, "q1");
        awaitOrder(id, "CREATED");
        return id;
    }

    // ---- paying

    /** Pays in the sandbox; the status it answers. */
    int pay(String order, String payment, String outcome) {
        return sandbox(
                        "/orders/" + order + "/payments",
                        "{\"payment_id\":\"" + payment + "\",\"amount\":500,\"currency\":\"EUR\",\"outcome\":\""
                                + outcome + "\"}")
                .statusCode();
    }

    private HttpResponse<String> sandbox(String path, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sandboxPort + path))
                .timeout(Duration.ofSeconds(20));
        return send((body.isEmpty() ? request.GET() : request.POST(HttpRequest.BodyPublishers.ofString(body))).build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the provider has of this order: paid, and what of it went back. */
    List<JsonNode> statement(String order) {
        try {
            List<JsonNode> lines = new ArrayList<>();
            JSON.readTree(sandbox("/statement?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z", "")
                            .body())
                    .at("/payments")
                    .forEach(line -> {
                        if (line.at("/order_id").asText().equals(order)) {
                            lines.add(line);
                        }
                    });
            return lines;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    // ---- watching

    Client.Answer order(String id) {
        return client().get("/v1/orders/" + id);
    }

    Client.Answer reservation(String id) {
        return client().get("/v1/reservations/" + id);
    }

    void awaitOrder(String id, String status) {
        awaitThat("order " + status, () -> order(id).text("/status").equals(status));
    }

    void awaitReservation(String id, String status) {
        awaitThat("reservation " + status, () -> reservation(id).text("/status").equals(status));
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

    /** Fails unless nothing of this item appeared or was lost. */
    void conserved(String sku) {
        new Conservation(site, client(), ACTIVITY).holds(sku);
    }

    long redis(String sku, String number) {
        return client().get("/v1/pools/" + pool(sku).value()).number("/redis/books/" + number);
    }

    /** One number out of the database. */
    long count(String sql) throws SQLException {
        return site.count(sql);
    }

    long finalStock(String sku, String column) throws SQLException {
        return count("select " + column + " from sku_inventory where sku = '" + sku + "'");
    }

    void execute(String sql) throws SQLException {
        try (var c = site.database();
                var s = c.createStatement()) {
            s.execute(sql);
        }
    }

    // ---- Kafka

    /** All records of a topic so far. */
    List<ConsumerRecord<String, byte[]>> records(String kind) {
        return reader(kind).records();
    }

    private Topic reader(String kind) {
        return topics.computeIfAbsent(kind, _ -> new Topic(SharedStack.kafka().bootstrapServers(), topic(kind)));
    }

    /** The same record so many times, as fast as it goes. */
    void sendOften(int times, String kind, String key, byte[] data, Headers headers) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            sent.add(producer.send(new ProducerRecord<>(topic(kind), null, key, data, headers)));
        }
        for (Future<?> one : sent) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    /** Records of a topic that the node has not acknowledged. */
    long unread(String kind) throws Exception {
        var read = admin.listConsumerGroupOffsets(name)
                .partitionsToOffsetAndMetadata()
                .get(30, TimeUnit.SECONDS);
        return reader(kind).ends().entrySet().stream()
                .mapToLong(end -> end.getValue()
                        - (read.get(end.getKey()) == null
                                ? 0
                                : read.get(end.getKey()).offset()))
                .sum();
    }

    void send(String kind, String key, byte[] data, Headers headers) throws Exception {
        producer.send(new ProducerRecord<>(topic(kind), null, key, data, headers))
                .get(30, TimeUnit.SECONDS);
    }

    void send(String kind, String key, String type, String id, String data) throws Exception {
        var headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", id,
                        "ce_source", "/elsewhere",
                        "ce_type", type,
                        "content-type", "application/json")
                .forEach((header, value) -> headers.add(header, value.getBytes(StandardCharsets.UTF_8)));
        send(kind, key, data.getBytes(StandardCharsets.UTF_8), headers);
    }

    @Override
    public void close() {
        scripts.close();
        producer.close(Duration.ofSeconds(1));
        topics.values().forEach(Topic::close);
        admin.close(Duration.ofSeconds(1));
        site.close();
    }
}
