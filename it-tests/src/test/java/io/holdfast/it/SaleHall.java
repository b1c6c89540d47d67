package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.config.GateSection;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.SharedStack;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.sandbox.Sandbox;
import io.holdfast.reservation.domain.SaleKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A site that sells by a gate and makes the orders itself, with a node in a process of its own that can be killed, and a payment provider
 * that outlives it. Seen from outside: by HTTP, by topics, and in the stores.
 */
final class SaleHall implements AutoCloseable {

    private static final String ACTIVITY = "spring";
    private static final String SECRET = "what the provider signs with";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int KEY_VERSION = 1;

    private final String name;
    private final SaleKeys keys =
            new SaleKeys(Map.of(KEY_VERSION, HexFormat.of().parseHex(GateSection.OF_DEVELOPMENT.reveal())));
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final Sandbox provider;
    private volatile boolean closed;
    final Site site;
    final NodeProcess node;

    private SaleHall(String name, String more) throws IOException, InterruptedException {
        this.name = name + "-" + Long.toHexString(System.nanoTime());
        this.provider = Sandbox.start("provider", 0, InstantSource.system());
        this.site = Site.open(name, Map.of());
        this.node = site.startProcess(lines() + more);
    }

    /** @param more lines of the node's settings file, below {@code holdfast} */
    static SaleHall open(String name, String more) throws IOException, InterruptedException {
        return new SaleHall(name, more);
    }

    private String lines() {
        return """
            kafka {
              enabled = true
              bootstrap-servers = "%s"
              protocol = plaintext
              group = %s
              session-timeout = 6s
              topics { orders = %s, schedule = %s, stock-change = %s, lifecycle = %s, order-requests = %s }
            }
            orders {
              ask-first = 1s
              service {
                kind = built-in
                transactions = 16
                transaction-timeout = 1m
                payments { provider = http, url = "%s", notice-secrets = ["%s"] }
              }
            }
            reservation.attempt-timeout = 1s
            sweeper { grace = 1s, interval = 1s }
            """.formatted(
                        SharedStack.kafka().bootstrapServers(),
                        name,
                        topic("orders"),
                        topic("schedule"),
                        topic("stock"),
                        topic("lifecycle"),
                        topic("requests"),
                        provider.address(),
                        SECRET);
    }

    String topic(String kind) {
        return name + "." + kind;
    }

    Client client() {
        return new Client(node.address());
    }

    // ---- selling

    /** A sale of so many units, of which a buyer may have one. Waits for it as {@link Client#createPool} does. */
    void sell(String sku, long units) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Map<String, String> sale = Map.of(
                "opens_at", now.minusSeconds(60).toString(),
                "closes_at", now.plusSeconds(3600).toString());
        Client.Answer made = client().putAsync(
                        "/v1/pools/" + ACTIVITY + ":" + sku,
                        Map.of("total", units, "sale", sale),
                        Map.of("Prefer", "wait=30"))
                .join();
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    /** Id of the reservation, and of the order, of the one request of this buyer. */
    String id(String sku, String user) {
        return keys.reservation(KEY_VERSION, ACTIVITY, sku, user, "q");
    }

    /** Asks for one unit; whoever gets no answer asks again. */
    void admit(String sku, String user) {
        await("let in").atMost(PATIENCE).untilAsserted(() -> {
            Client.Answer answer = client().post(
                            "/v1/sales/" + ACTIVITY + "/skus/" + sku + "/reservations",
                            Map.of("user_id", user, "request_id", "q"),
                            Map.of());
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
            assertThat(answer.text("/reservation_id")).isEqualTo(id(sku, user));
        });
    }

    /** The buyer pays at the provider, which says so until it is heard. */
    CompletableFuture<Void> pay(String order) {
        try {
            HttpResponse<String> paid = http.send(
                    HttpRequest.newBuilder(URI.create(provider.address() + "/orders/" + order + "/payments"))
                            .POST(BodyPublishers.ofString("{\"payment_id\":\"pay-" + order.substring(0, 12)
                                    + "\",\"amount\":500,\"currency\":\"EUR\"}"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(paid.statusCode()).isEqualTo(201);
            var notice = (com.fasterxml.jackson.databind.node.ObjectNode)
                    JSON.readTree(paid.body()).at("/payments/0");
            notice.put("type", "payment.succeeded").put("notice_id", "notice-" + order);
            return tell(notice);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> tell(JsonNode notice) {
        byte[] body = notice.toString().getBytes(StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(node.address().resolve("/v1/payment-notices"))
                .header("Content-Type", "application/json")
                .header(
                        PaymentNotices.HEADER,
                        PaymentNotices.sign(SECRET.getBytes(StandardCharsets.UTF_8), body, Instant.now()))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return http.sendAsync(request, BodyHandlers.discarding())
                .handle((response, failed) -> closed || failed == null && response.statusCode() / 100 == 2)
                .thenComposeAsync(
                        heard -> heard ? CompletableFuture.completedFuture(null) : tell(notice),
                        CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
    }

    /** Asks for the order to be cancelled. */
    void cancel(String order) {
        client().postAsync("/v1/orders/" + order + "/cancel", Map.of(), Map.of());
    }

    // ---- watching

    Client.Answer order(String id) {
        return client().get("/v1/orders/" + id);
    }

    void awaitOrder(String id, String status) {
        awaitThat("order " + status, () -> order(id).text("/status").equals(status));
    }

    void awaitReservation(String id, String status) {
        awaitThat(
                "reservation " + status,
                () -> client().get("/v1/reservations/" + id).text("/status").equals(status));
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

    /** One number out of the database. */
    long count(String sql) throws SQLException {
        return site.count(sql);
    }

    /** What the journal of a machine has of this order. */
    List<String> journal(String machine, String order) throws SQLException {
        List<String> types = new ArrayList<>();
        try (var connection = site.database();
                var statement = connection.prepareStatement(
                        "select type from journal_readable where machine = ? and entity_id = ? and type <>"
                                + " 'EffectStalled' order by sequence_number")) {
            statement.setString(1, machine);
            statement.setString(2, order);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    types.add(rows.getString(1));
                }
            }
        }
        return types;
    }

    /** One number of the item, past the node. */
    long redis(String sku, String number) {
        return Site.askRedis(
                site.redis.uri(),
                redis -> Long.parseLong(redis.hget("hf:{" + ACTIVITY + ":" + sku + "}:stock", number)));
    }

    /** Holds of the item that wait for their reservations, past the node. */
    long listed(String sku) {
        return Site.askRedis(site.redis.uri(), redis -> redis.zcard("hf:{" + ACTIVITY + ":" + sku + "}:due"));
    }

    /** Ids of the messages on a topic, by the order they are about, as often as they were sent. */
    Map<String, List<String>> told(String kind) {
        Map<String, List<String>> all = new HashMap<>();
        topics.computeIfAbsent(kind, _ -> new Topic(SharedStack.kafka().bootstrapServers(), topic(kind)))
                .records()
                .forEach(record -> all.computeIfAbsent(record.key(), _ -> new ArrayList<>())
                        .add(new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8)));
        return all;
    }

    @Override
    public void close() {
        closed = true;
        node.close();
        site.close();
        provider.close();
        topics.values().forEach(Topic::close);
        http.shutdownNow();
    }
}
