package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.http.openapi.Example;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.KafkaSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.node.KeyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringSerializer;
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

    private static final int MARKS = 4711;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A test that runs again needs topics of its own again. */
    private static final AtomicInteger SHOPS = new AtomicInteger();

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

    /** A site whose node speaks with the broker, on topics of its own. */
    private static final class Shop implements AutoCloseable {
        final Site site;
        final String name;
        final KafkaProducer<String, String> orders;

        Shop(String name) {
            this(name, Map.of());
        }

        Shop(String name, Map<String, String> more) {
            this.name = name + SHOPS.incrementAndGet();
            this.site = Site.open(this.name, settings())
                    .with(Map.of("HOLDFAST_KAFKA_TOPICS_ORDER_REQUESTS", topic("requests")))
                    .with(more);
            this.orders = new KafkaProducer<>(
                    Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers(), "acks", "all"),
                    new StringSerializer(),
                    new StringSerializer());
        }

        private Map<String, String> settings() {
            return Map.of(
                    "HOLDFAST_KAFKA_ENABLED",
                    "true",
                    "HOLDFAST_KAFKA_SESSION_TIMEOUT",
                    "6s",
                    "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS",
                    broker.bootstrapServers(),
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
                            broker.bootstrapServers(),
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

        long committed() throws Exception {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                return admin
                        .listConsumerGroupOffsets(name)
                        .partitionsToOffsetAndMetadata()
                        .get(30, TimeUnit.SECONDS)
                        .values()
                        .stream()
                        .mapToLong(OffsetAndMetadata::offset)
                        .sum();
            }
        }

        /** What was announced on a topic so far. */
        List<Message> announced(String kind) {
            return Topic.records(broker.bootstrapServers(), topic(kind)).stream()
                    .map(Message::of)
                    .toList();
        }

        String status(String item) {
            return site.client().look("dish", item).text("/status");
        }

        @Override
        public void close() {
            orders.close(Duration.ofSeconds(1));
            site.close();
        }
    }

    private record Message(String id, String type, String key, long sequence, JsonNode data) {
        static Message of(ConsumerRecord<String, byte[]> record) {
            Map<String, String> headers = new HashMap<>();
            record.headers()
                    .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            try {
                return new Message(
                        headers.get("ce_id"),
                        headers.get("ce_type"),
                        record.key(),
                        Long.parseLong(headers.get("ce_sequence")),
                        JSON.readTree(record.value()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String text(String pointer) {
            return data.at(pointer).asText();
        }
    }

    /** The first sending of each message: any may come again. */
    private static List<Message> eachOnce(List<Message> messages) {
        Set<String> seen = new HashSet<>();
        return messages.stream().filter(message -> seen.add(message.id())).toList();
    }

    private static void awaitThat(String what, Callable<Boolean> fact) {
        // Looking costs: mostly a consumer that reads a topic from its beginning.
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(250)).until(fact);
    }

    // ----

    @Test
    void an_order_is_confirmed_by_its_event_and_what_moved_is_told_over_tls_with_a_login() throws Exception {
        try (var shop = new Shop("instant", encrypted)) {
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
            assertThat(client.get("/health/ready").text("/checks/kafka/status")).isEqualTo("UP");
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
        try (var shop = new Shop("short")) {
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
        try (var shop = new Shop("leftout", OverdueHoldsTest.asking(orders))) {
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
        try (var shop = new Shop("nodb")) {
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
        try (var shop = new Shop("nobroker", Map.of("HOLDFAST_GATE_LIMITS_BROKER_AWAY", "2s"))) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 1000);
            openGate(client);
            assertThat(letIn(client, "ann").status()).isEqualTo(202);
            client.hold("dish", "before", 1);
            awaitThat("told", () -> !shop.announced("lifecycle").isEmpty());
            broker.kill();
            try {
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

    @Test
    void a_node_killed_again_and_again_reads_and_tells_everything_under_the_same_ids() throws Exception {
        try (var shop = new Shop("killed");
                NodeProcess node = shop.site.startProcess(shop.lines())) {
            var client = new Client(node.address());
            client.createPool("dish", 1000);
            List<String> items = IntStream.range(0, 60).mapToObj(i -> "i" + i).toList();
            for (String item : items) {
                assertThat(client.hold("dish", item, 1).status()).isIn(201, 202);
            }
            List<String> twice = new ArrayList<>(items);
            twice.addAll(items);
            Collections.shuffle(twice, new Random(7));
            for (int i = 0; i < twice.size(); i++) {
                shop.news(twice.get(i).hashCode() % 3 == 0 ? "OrderCreatedFailed" : "OrderCreated", twice.get(i));
                if (i == 30 || i == 90) {
                    node.kill();
                    node.restart();
                }
            }
            awaitThat("all read", () -> shop.committed() == twice.size());
            awaitThat(
                    "all settled",
                    () -> items.stream()
                            .allMatch(item -> List.of("CONFIRMED", "CANCELED")
                                    .contains(client.look("dish", item).text("/status"))));
            TreeSet<String> expected = journaledEnds(shop);
            awaitThat("all told", () -> ids(shop).containsAll(expected));
            assertThat(shop.announced("lifecycle").stream()
                            .filter(message -> message.type().equals("InventoryConfirmed"))
                            .map(message -> message.text("/reservation_id"))
                            .distinct()
                            .count())
                    .isEqualTo(client.lookAtPool("dish").number("/redis/books/sold"));
            Map<String, JsonNode> contents = new HashMap<>();
            for (Message message : shop.announced("stock")) {
                JsonNode before = contents.putIfAbsent(message.id(), message.data());
                assertThat(before == null || before.equals(message.data()))
                        .as("one id, one content: " + message.id())
                        .isTrue();
            }
        }
    }

    @Test
    void what_is_journaled_and_not_yet_told_when_the_node_is_killed_is_told_by_the_next() throws Exception {
        try (var shop = new Shop("untold");
                NodeProcess node = shop.site.startProcess(shop.lines())) {
            var client = new Client(node.address());
            client.createPool("dish", 1_000);
            for (int round : Crash.rounds().toArray()) {
                TreeSet<String> before = ids(shop);
                try (var older = shop.site.database()) {
                    // A transaction that stays open holds back whoever reads the journal, and nobody who writes it.
                    older.setAutoCommit(false);
                    try (var statement = older.createStatement()) {
                        statement.execute("select pg_current_xact_id()");
                    }
                    assertThat(client.hold("dish", "i" + round, 1).status()).isEqualTo(201);
                    node.kill();
                    assertThat(journaledEnds(shop)).hasSizeGreaterThan(before.size());
                    assertThat(ids(shop)).isEqualTo(before);
                    older.rollback();
                }
                node.restart();

                awaitThat("all told", () -> ids(shop).containsAll(journaledEnds(shop)));
            }
        }
    }

    @Test
    void what_is_told_and_not_yet_marked_when_the_node_is_killed_is_told_again_under_the_same_id() throws Exception {
        try (var shop = new Shop("unmarked");
                NodeProcess node = shop.site.startProcess(shop.lines())) {
            var client = new Client(node.address());
            client.createPool("dish", 1_000);
            for (int round : Crash.rounds().toArray()) {
                awaitThat("all marked", () -> allMarked(shop));
                Set<String> before = stockIds(shop);
                try (var door = shop.site.database();
                        var statement = door.createStatement()) {
                    statement.execute("select pg_advisory_lock(%d)".formatted(MARKS));
                    statement.execute("""
                        create or replace function wait_at_the_door() returns trigger language plpgsql as $$
                        begin
                            perform pg_advisory_xact_lock(%d);
                            return new;
                        end $$
                        """.formatted(MARKS));
                    statement.execute("create trigger door before update on projection_offset for each row"
                            + " when (new.projection = 'kafka_publisher') execute function wait_at_the_door()");
                    assertThat(client.hold("dish", "i" + round, 1).status()).isEqualTo(201);
                    awaitThat("the first are told", () -> !before.containsAll(stockIds(shop)));
                    node.kill();
                    // The dead node's transaction ends where it waits: nobody is left to commit it.
                    statement.execute("select pg_advisory_unlock(%d)".formatted(MARKS));
                    statement.execute("drop trigger door on projection_offset");
                }
                Message unmarked = shop.announced("stock").stream()
                        .filter(message -> !before.contains(message.id()))
                        .findFirst()
                        .orElseThrow();
                node.restart();

                awaitThat("told again", () -> toldUnder(shop, unmarked.id()).size() >= 2);
                assertThat(toldUnder(shop, unmarked.id()))
                        .extracting(Message::data)
                        .containsOnly(unmarked.data());
                awaitThat("all told", () -> ids(shop).containsAll(journaledEnds(shop)));
            }
        }
    }

    private static Set<String> stockIds(Shop shop) {
        return shop.announced("stock").stream().map(Message::id).collect(Collectors.toSet());
    }

    /** Whether the publisher's offset stands at the end of the journal. */
    private static boolean allMarked(Shop shop) throws SQLException {
        try (var connection = shop.site.database();
                var question = connection.prepareStatement("""
                    select count(*) > 0 and bool_and(not exists (
                        select from event_journal j
                        where j.slice between o.slice_from and o.slice_to and (j.xid, j.ordering) > (o.xid, o.ordering)))
                    from projection_offset o where o.projection = 'kafka_publisher'
                    """);
                var row = question.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static List<Message> toldUnder(Shop shop, String id) {
        return shop.announced("stock").stream()
                .filter(message -> message.id().equals(id))
                .toList();
    }

    private static TreeSet<String> ids(Shop shop) {
        var ids = new TreeSet<String>();
        shop.announced("lifecycle").forEach(message -> ids.add(message.id()));
        return ids;
    }

    /** Ids of the messages that follow from what is journaled. */
    private static TreeSet<String> journaledEnds(Shop shop) throws SQLException {
        var ids = new TreeSet<String>();
        try (var connection = shop.site.database();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("select persistence_id || '#' || sequence_number from journal_readable"
                                + " where type in ('HoldGranted', 'HoldConfirmed', 'HoldReleased')")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    @Test
    void operators_see_and_replay_what_was_not_understood_and_what_waits() throws Exception {
        try (var shop = new Shop("operators")) {
            shop.site.startNode();
            Client client = shop.site.client();
            client.createPool("dish", 10);
            shop.event("o", "OrderShipped", "s-1", "{}");
            shop.event("order-late", "OrderCreated", "c-1", "{'order_id':'order-late'}");
            awaitThat(
                    "parked",
                    () -> client.get("/v1/parked-events")
                                    .body()
                                    .at("/parked_events")
                                    .size()
                            == 1);
            awaitThat("dead", () -> client.get("/v1/dead-letters").number("/waiting") == 1);
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
            awaitThat("dead again", () -> client.get("/v1/dead-letters").number("/waiting") == 1);

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

    /**
     * The examples of the OpenAPI document that only a node with Kafka can answer.
     *
     * @param ids what they are about here, by operation
     */
    private static void examples(Shop shop, Map<String, String> ids) throws Exception {
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
