package io.holdfast.it;

import static io.holdfast.it.KafkaShop.awaitThat;
import static io.holdfast.it.KafkaShop.eachOnce;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.http.openapi.Example;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.it.KafkaShop.Message;
import io.holdfast.launcher.Terminal;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.KafkaSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.node.KeyFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** Whole nodes between an order service and whoever keeps stock elsewhere, with a real broker that may be killed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site and topics of its own
@ResourceLock(value = KafkaOrdersTest.BROKER, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class KafkaOrdersTest {

    static final String BROKER = "the broker of KafkaOrdersTest";

    private static KafkaServer broker;
    /** How the broker is spoken to in production: over TLS, with a login, and a certificate that only the settings believe. */
    private static Map<String, String> encrypted;

    @BeforeAll
    static void start() throws Exception {
        Path folder = Files.createDirectories(SharedStack.freshFolder("kafka-of-orders"));
        Path keys = KeyFiles.selfSigned(folder.resolve("kafka.p12"), "kafka");
        int plain = freePort();
        int secure = freePort();
        int controller = freePort();
        String all = "PLAINTEXT://127.0.0.1:" + plain + ",SECURE://127.0.0.1:" + secure;
        broker = KafkaServer.start(KafkaSettings.in(folder.resolve("server"))
                .withPort(plain)
                .withProperty("controller.quorum.voters", "1@127.0.0.1:" + controller)
                .withProperty("listeners", all + ",CONTROLLER://127.0.0.1:" + controller)
                .withProperty("advertised.listeners", all)
                .withProperty(
                        "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT")
                .withProperty("listener.name.secure.ssl.keystore.type", "PKCS12")
                .withProperty("listener.name.secure.ssl.keystore.location", keys.toString())
                .withProperty("listener.name.secure.ssl.keystore.password", KeyFiles.PASSWORD)
                .withProperty("listener.name.secure.ssl.key.password", KeyFiles.PASSWORD)
                .withProperty("listener.name.secure.sasl.enabled.mechanisms", "PLAIN")
                .withProperty(
                        "listener.name.secure.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                + " user_holdfast=\"let-me-in\";"));
        encrypted = Map.of(
                "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + secure,
                "HOLDFAST_KAFKA_PROTOCOL", "sasl-ssl",
                "HOLDFAST_KAFKA_TLS_AUTHORITY",
                        KeyFiles.pem(keys, "kafka").certificate().toString(),
                "HOLDFAST_KAFKA_SASL_MECHANISM", "plain",
                "HOLDFAST_KAFKA_SASL_USER", "holdfast",
                "HOLDFAST_KAFKA_SASL_PASSWORD", "let-me-in");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void an_order_is_confirmed_by_its_event_and_what_moved_is_told_over_tls_with_a_login() throws Exception {
        try (var shop = new KafkaShop(broker, "instant", encrypted)) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 10);
            client.hold("dish", "i1", 2);
            client.hold("dish", "i2", 3);
            shop.news("OrderCreated", "i1");
            shop.event("order-i2", "OrderCreatedFailed", "f-1", "{'order_id':'order-i2','reason':'card declined'}");
            awaitThat("confirmed", () -> shop.status("i1").equals("CONFIRMED"));
            awaitThat(
                    "cancelled by an event that names nobody",
                    () -> shop.status("i2").equals("CANCELED"));
            awaitThat(
                    "told",
                    () -> eachOnce(shop.announced("lifecycle")).size() >= 4
                            && eachOnce(shop.announced("stock")).size() >= 5);

            assertThat(eachOnce(shop.announced("lifecycle")))
                    .extracting(message -> message.key() + " " + message.type())
                    .containsExactlyInAnyOrder(
                            "order-i1 InventoryReserved",
                            "order-i1 InventoryConfirmed",
                            "order-i2 InventoryReserved",
                            "order-i2 InventoryCanceled");
            List<Message> moves = eachOnce(shop.announced("stock"));
            assertThat(moves).extracting(Message::key).containsOnly(Client.pool("dish"));
            Message last = moves.stream()
                    .max(Comparator.comparingLong(
                            message -> message.data().at("/redis_version").asLong()))
                    .orElseThrow();
            JsonNode books = client.lookAtPool("dish").body().at("/redis/books");
            for (String number : List.of("total", "available", "reserved", "sold")) {
                assertThat(last.data().at("/after/" + number).asLong())
                        .isEqualTo(books.at("/" + number).asLong());
                String delta = "/" + number + "_delta";
                assertThat(moves.stream()
                                .mapToLong(message -> message.data().at(delta).asLong())
                                .sum())
                        .as("what moved adds up: " + number)
                        .isEqualTo(books.at("/" + number).asLong());
            }
            // On a busy machine its latest look at the broker may have taken too long.
            awaitThat(
                    "healthy",
                    () -> client.get("/health/ready")
                            .text("/checks/kafka/status")
                            .equals("UP"));
        }
    }

    private static Map<String, Object> line(String dish, String item, long quantity) {
        return Map.of("pool", Client.pool(dish), "order_item_id", item, "quantity", quantity);
    }

    private static Client.Answer order(Client client, String order, List<Map<String, Object>> lines) {
        return client.post(
                "/v1/orders/" + order + "/reservations", Map.of("lines", lines), Map.of("Prefer", "wait=20"));
    }

    @Test
    void an_order_with_a_short_line_fails_and_its_held_line_goes_back() throws Exception {
        try (var shop = new KafkaShop(broker, "short", Map.of())) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 5);
            client.createPool("scarce", 1);
            Client.Answer answer = order(client, "o-1", List.of(line("dish", "i1", 2), line("scarce", "i2", 2)));
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(207);
            assertThat(shop.status("i1")).isEqualTo("RESERVED");
            assertThat(client.look("scarce", "i2").text("/status")).isEqualTo("REJECTED");

            shop.event("o-1", "OrderCreatedFailed", "f-1", "{'order_id':'o-1','reason':'a line was sold out'}");

            awaitThat("the held line goes back", () -> shop.status("i1").equals("CANCELED"));
            assertThat(client.lookAtPool("dish").number("/redis/books/available"))
                    .isEqualTo(5);
            awaitThat("told", () -> eachOnce(shop.announced("lifecycle")).size() >= 3);
            assertThat(eachOnce(shop.announced("lifecycle")))
                    .extracting(message -> message.key() + " " + message.type())
                    .containsExactlyInAnyOrder(
                            "o-1 InventoryReserved", "o-1 InventoryRejected", "o-1 InventoryCanceled");
        }
    }

    private static String lineOfOrder(String item) {
        return "{'order_id':'o-1','lines':[{'merchant':'" + Client.MERCHANT + "','dish':'dish','order_item_id':'" + item
                + "'}]}";
    }

    @Test
    void a_held_line_that_its_order_leaves_out_stays_held_and_is_named_as_overdue_until_it_is_told() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer orders = OverdueHoldsTest.orders(asked, 202);
        try (var shop = new KafkaShop(broker, "leftout", OverdueHoldsTest.asking(orders))) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 5);
            Client.Answer answer = order(client, "o-1", List.of(line("dish", "i1", 1), line("dish", "i2", 2)));
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);

            shop.event("o-1", "OrderCreated", "c-1", lineOfOrder("i1"));

            awaitThat("confirmed", () -> shop.status("i1").equals("CONFIRMED"));
            awaitThat(
                    "named as overdue",
                    () -> shop.announced("lifecycle").stream()
                            .anyMatch(message -> message.type().equals("InventoryOverdue")
                                    && message.text("/reservation_id").equals(Client.idOf("dish", "i2"))));
            awaitThat("its order is asked for", () -> asked.contains("/o-1/publish"));
            assertThat(shop.status("i2")).as("nobody has decided").isEqualTo("RESERVED");

            shop.event("o-1", "OrderCreated", "c-2", lineOfOrder("i2"));

            awaitThat("told line by line", () -> shop.status("i2").equals("CONFIRMED"));
        } finally {
            orders.stop(0);
        }
    }

    @Test
    void events_wait_for_a_database_that_is_away_and_none_is_lost() throws Exception {
        try (var shop = new KafkaShop(broker, "nodb", Map.of())) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 100);
            List<String> items = IntStream.range(0, 20).mapToObj(i -> "i" + i).toList();
            items.forEach(item -> client.hold("dish", item, 1));
            shop.news("OrderCreated", "i0");
            awaitThat("the first", () -> shop.status("i0").equals("CONFIRMED"));
            awaitThat("its offset", () -> shop.committed() == 1);

            shop.site.toPostgres.cut();
            shop.site.toPostgres.refuse();
            List<String> others = items.subList(1, items.size());
            for (String item : others) {
                shop.news("OrderCreated", item);
            }
            awaitThat("asked in vain", () -> Metrics.sum(client.base(), "holdfast_events_retries_total") > 0);
            assertThat(shop.committed()).isEqualTo(1);

            shop.site.toPostgres.heal();
            awaitThat(
                    "all",
                    () -> items.stream().allMatch(item -> shop.status(item).equals("CONFIRMED")));
            awaitThat("offsets", () -> shop.committed() == 20);
            assertThat(client.lookAtPool("dish").number("/redis/books/sold")).isEqualTo(20);
        }
    }

    @Test
    @ResourceLock(BROKER) // which it kills
    void a_broker_that_is_away_holds_up_no_hold_and_gets_everything_in_order_when_it_is_back() throws Exception {
        try (var shop = new KafkaShop(broker, "nobroker", Map.of("HOLDFAST_GATE_LIMITS_BROKER_AWAY", "2s"))) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 1000);
            openGate(client);
            assertThat(letIn(client, "ann").status()).isEqualTo(202);
            client.hold("dish", "before", 1);
            awaitThat("told", () -> !shop.announced("lifecycle").isEmpty());
            broker.kill();
            String notAskedFor;
            try {
                Client.Answer unsent = letIn(client, "dan");
                assertThat(unsent.status()).isEqualTo(202);
                notAskedFor = unsent.text("/reservation_id");
                for (int i = 0; i < 30; i++) {
                    assertThat(client.hold("dish", "i" + i, 1).status()).isEqualTo(201);
                    assertThat(client.confirm("dish", "i" + i).status()).isEqualTo(200);
                }
                awaitThat(
                        "known to be away",
                        () -> client.get("/health/ready")
                                .text("/checks/kafka/status")
                                .equals("DEGRADED"));
                assertThat(client.get("/health/ready").status()).isEqualTo(200);
                assertThat(client.hold("dish", "meanwhile", 1).status()).isEqualTo(201);
                AtomicInteger users = new AtomicInteger();
                awaitThat(
                        "the gate holds back",
                        () -> letIn(client, "bob" + users.incrementAndGet())
                                .code()
                                .equals("ADMISSION_HELD_BACK"));
                assertThat(letIn(client, "cid").text("/reason")).isEqualTo("BROKER");
                assertThat(letIn(client, "ann").status())
                        .as("who is in hears so")
                        .isEqualTo(202);
            } finally {
                broker.start();
            }
            awaitThat("the gate is open again", () -> letIn(client, "cid").status() == 202);
            awaitThat(
                    "all told",
                    () -> shop.announced("lifecycle").stream()
                                    .filter(message -> message.text("/pool").startsWith(Client.MERCHANT))
                                    .map(Message::id)
                                    .distinct()
                                    .count()
                            == 62);
            inOrderAndUnique(shop.announced("lifecycle"));
            inOrderAndUnique(shop.announced("stock"));
            awaitThat(
                    "the order of one that was let in while it was away is asked for",
                    () -> shop.idsByKey("requests").containsKey(notAskedFor));
            assertThat(shop.idsByKey("requests").values())
                    .as("one id for each, however often it was sent")
                    .allSatisfy(ids -> assertThat(ids).hasSize(1));
            shop.news("OrderCreated", "meanwhile");
            awaitThat("events are read again", () -> shop.status("meanwhile").equals("CONFIRMED"));
        }
    }

    private static void openGate(Client client) {
        Map<String, Object> sale = Map.of("opens_at", "2020-01-01T00:00:00Z", "closes_at", "2099-01-01T00:00:00Z");
        assertThat(client.put("/v1/pools/spring:shoes", Map.of("total", 1_000, "sale", sale))
                        .status())
                .isEqualTo(201);
    }

    private static Client.Answer letIn(Client client, String user) {
        return client.post(
                "/v1/sales/spring/skus/shoes/reservations", Map.of("user_id", user, "request_id", "q"), Map.of());
    }

    /** Of each reservation the first sending of each message is in the order of its journal. */
    private static void inOrderAndUnique(List<Message> messages) {
        Map<String, List<Long>> sequences = new LinkedHashMap<>();
        for (Message message : eachOnce(messages)) {
            sequences
                    .computeIfAbsent(message.text("/reservation_id"), _ -> new ArrayList<>())
                    .add(message.sequence());
        }
        assertThat(sequences.values()).allSatisfy(list -> assertThat(list).isSorted());
    }

    private static JsonNode parked(Client client) {
        return client.get("/v1/parked-events").body().at("/parked_events");
    }

    private static boolean isOneDead(Client client) {
        return client.get("/v1/dead-letters").number("/waiting") == 1;
    }

    @Test
    void operators_see_and_replay_what_was_not_understood_and_what_waits() throws Exception {
        try (var shop = new KafkaShop(broker, "operators", Map.of())) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 10);
            shop.event("o", "OrderShipped", "s-1", "{}");
            shop.event("order-late", "OrderCreated", "c-1", "{'order_id':'order-late'}");
            awaitThat("parked", () -> parked(client).size() == 1);
            awaitThat("dead", () -> isOneDead(client));
            assertThat(client.get("/v1/dead-letters").text("/dead_letters/0/reason"))
                    .isEqualTo("UNKNOWN_TYPE");
            assertThat(client.get("/v1/parked-events").text("/parked_events/0/event_id"))
                    .isEqualTo("/orders c-1");

            client.hold("dish", "late", 1);
            client.post("/v1/parked-events/retry", Map.of(), Map.of());
            awaitThat("found", () -> shop.status("late").equals("CONFIRMED"));
            awaitThat(
                    "waits no more",
                    () -> client.get("/v1/parked-events")
                            .body()
                            .at("/parked_events")
                            .isEmpty());

            var replayed = client.post("/v1/dead-letters/replay", Map.of(), Map.of());
            assertThat(replayed.number("/replayed/0/sent")).isEqualTo(1);
            awaitThat("dead again", () -> isOneDead(client));

            var run =
                    client.post("/v1/event-replays", Map.of("topic", shop.topic("orders"), "from_offset", 0), Map.of());
            assertThat(run.status()).isEqualTo(202);
            String address = run.location().orElseThrow();
            awaitThat("read again", () -> client.get(address).text("/state").equals("DONE"));
            assertThat(client.get(address).number("/delivered")).isEqualTo(1);
            assertThat(client.get(address).number("/passed_over")).isEqualTo(2);

            shop.event("order-never", "OrderCreated", "c-2", "{'order_id':'order-never'}");
            awaitThat(
                    "parked",
                    () -> !client.get("/v1/parked-events")
                            .text("/parked_events/0/id")
                            .isEmpty());
            examples(
                    shop,
                    Map.of(
                            "readEventReplay", address.substring(address.lastIndexOf('/') + 1),
                            "discardParkedEvent",
                                    client.get("/v1/parked-events").text("/parked_events/0/id")));

            assertThat(client.get("/v1/dead-letters?topic=nonsense").status()).isEqualTo(400);
            assertThat(client.post("/v1/event-replays", Map.of("topic", shop.topic("orders")), Map.of())
                            .status())
                    .isEqualTo(400);
            assertThat(client.post("/v1/parked-events/7/discard", Map.of("reason", "test"), Map.of())
                            .status())
                    .isEqualTo(404);
            assertThat(client.get("/v1/event-replays/none").code()).isEqualTo("NO_SUCH_EVENT");
        }
    }

    @Test
    void a_person_at_a_terminal_sees_and_replays_it_likewise() throws Exception {
        try (var shop = new KafkaShop(broker, "terminal", Map.of())) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 10);
            Terminal terminal = shop.site.terminal(shop.lines());
            shop.event("o", "OrderShipped", "s-1", "{}");
            shop.event("order-late", "OrderCreated", "c-1", "{'order_id':'order-late'}");
            shop.event("order-never", "OrderCreated", "c-2", "{'order_id':'order-never'}");
            awaitThat("parked", () -> parked(client).size() == 2);
            awaitThat("dead", () -> isOneDead(client));

            assertThat(terminal.run("dlq", "list").text())
                    .contains(shop.topic("orders") + ": 1 waiting", "OrderShipped", "UNKNOWN_TYPE", "key o");
            assertThat(terminal.run("dlq", "replay").text()).contains(shop.topic("orders") + ": 1 sent again");
            awaitThat("dead again", () -> isOneDead(client));

            assertThat(terminal.run("parked", "list").text())
                    .contains("OrderCreated  /orders c-1  of order-late", "2 waiting");
            // Of two partitions either may have come first.
            String never = StreamSupport.stream(parked(client).spliterator(), false)
                    .filter(one -> one.at("/key").asText().equals("order-never"))
                    .findFirst()
                    .orElseThrow()
                    .at("/id")
                    .asText();
            assertThat(terminal.run("parked", "discard", never, "--reason", "a test order")
                            .text())
                    .endsWith("discarded\n");
            client.hold("dish", "late", 1);
            assertThat(terminal.run("parked", "retry").text()).contains("1 are tried again");
            awaitThat("found", () -> shop.status("late").equals("CONFIRMED"));

            client.hold("dish", "never", 1);
            Terminal.Said replay = terminal.run(
                    "events", "replay", "--topic", shop.topic("orders"), "--from-time", "2026-01-01T00:00:00Z");
            assertThat(replay.exitCode()).as(replay.text()).isZero();
            assertThat(replay.text()).endsWith("DONE: 4 of 4 read, 2 delivered, 0 parked, 2 passed over\n");
            awaitThat(
                    "what was given up is delivered when read again",
                    () -> shop.status("never").equals("CONFIRMED"));
            assertThat(terminal.run("events", "replay", "--topic", "nonsense", "--from-offset", "0")
                            .exitCode())
                    .as("asked wrongly")
                    .isEqualTo(2);

            client.createPool("gone", 1);
            for (String step : List.of("close", "archive")) {
                assertThat(client.post(
                                        "/v1/pools/" + Client.pool("gone") + "/" + step,
                                        Map.of(),
                                        Map.of("Idempotency-Key", step, "Prefer", "wait=30"))
                                .status())
                        .isEqualTo(200);
            }
            Terminal.Said rebuilt = terminal.run("pool", "rebuild", "--all");
            assertThat(rebuilt.exitCode()).as(rebuilt.text()).isZero();
            assertThat(rebuilt.text())
                    .as("what is archived is not in Redis any more")
                    .endsWith(Client.pool("dish") + " is OPEN at epoch 2: 8 available, 0 reserved, 2 sold\n")
                    .doesNotContain(Client.pool("gone"));
        }
    }

    /**
     * The examples of the OpenAPI document that only a node with Kafka can answer.
     *
     * @param ids what they are about here, by operation
     */
    private static void examples(KafkaShop shop, Map<String, String> ids) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            for (var operation : OpenApi.get().operations()) {
                if (!operation.node().at("/tags/0").asText().equals("events")) {
                    continue;
                }
                String name = operation.node().get("operationId").asText();
                Map<String, String> here =
                        Map.of("topic", shop.topic("orders"), "id", ids.getOrDefault(name, "named nowhere"));
                for (Example example : Example.of(operation, here)) {
                    var answer = OpenApi.send(http, example.to(shop.site.address(0)), example.body());
                    assertThat(answer.statusCode())
                            .as("%s %s", operation, answer.body())
                            .isEqualTo(example.status());
                }
            }
        }
    }

    @Test
    void a_node_without_kafka_has_no_such_addresses_and_serves_all_the_same() {
        try (var site = Site.withNode("without")) {
            assertThat(site.client().get("/v1/dead-letters").status()).isEqualTo(404);
            assertThat(site.client().createPool("dish", 1).status()).isEqualTo(201);
            assertThat(site.client().get("/health/ready").text("/checks/kafka/status"))
                    .isEmpty();
        }
    }
}
