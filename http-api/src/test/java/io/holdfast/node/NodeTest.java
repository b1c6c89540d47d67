package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.config.Settings;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole nodes on real stores. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a database of its own
class NodeTest {

    private static final HttpClient PLAIN =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    @Test
    void what_a_node_has_promised_outlives_it() throws Exception {
        var settings = settings("outlives", Map.of());
        String id;
        try (var node = Node.start(settings)) {
            assertThat(put(node.address(), "/v1/pools/outlives:soup", "{\"total\":3}")
                            .statusCode())
                    .isEqualTo(201);
            var held = post(node.address(), "/v1/reservations", hold("outlives:soup", "i-1"));
            assertThat(held.statusCode()).isEqualTo(201);
            id = held.body().replaceAll(".*\"reservation_id\":\"([0-9a-f]{32})\".*", "$1");
        }
        try (var node = Node.start(settings)) {
            assertThat(get(PLAIN, node.address().resolve("/v1/reservations/" + id), "")
                            .body())
                    .contains("\"status\":\"RESERVED\"")
                    .containsPattern("\"attention_at\":\"[^\".]*\\.\\d{1,6}Z\"");
            assertThat(get(PLAIN, node.address().resolve("/health/ready"), "").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void two_nodes_in_one_process_serve_one_fleet_and_one_may_leave() throws Exception {
        var first = Node.start(settings("fleet", Map.of()));
        try (var second = Node.start(
                settings("fleet", Map.of("HOLDFAST_CLUSTER_SEED_NODES", "127.0.0.1:" + first.clusterPort())))) {
            put(first.address(), "/v1/pools/fleet:soup", "{\"total\":1}");
            var held = post(first.address(), "/v1/reservations", hold("fleet:soup", "i-1"));
            var again = post(second.address(), "/v1/reservations", hold("fleet:soup", "i-1"));
            assertThat(held.statusCode()).isEqualTo(201);
            assertThat(again.body()).contains("\"status\":\"RESERVED\"");

            first.close();
            assertThat(first.ended().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isEqualTo(Ended.STOPPED);
            assertThat(post(second.address(), "/v1/reservations", hold("fleet:soup", "i-1"))
                            .body())
                    .contains("\"status\":\"RESERVED\"");
            assertThat(post(second.address(), "/v1/reservations", hold("fleet:soup", "i-2"))
                            .body())
                    .contains("SOLD_OUT");
        } finally {
            first.close();
        }
    }

    @Test
    void holds_sent_by_another_node_are_served_while_one_leaves() throws Exception {
        var first = Node.start(settings("leaving", Map.of()));
        try (var second = Node.start(
                settings("leaving", Map.of("HOLDFAST_CLUSTER_SEED_NODES", "127.0.0.1:" + first.clusterPort())))) {
            put(second.address(), "/v1/pools/leaving:soup", "{\"total\":100000}");
            var closed = new AtomicBoolean();
            var asked = new AtomicInteger();
            Map<String, HttpResponse<String>> answers = new ConcurrentHashMap<>();
            try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    running.add(clients.submit(() -> {
                        while (!closed.get()) {
                            String item = "i-" + asked.incrementAndGet();
                            answers.put(item, post(second.address(), "/v1/reservations", hold("leaving:soup", item)));
                        }
                        return null;
                    }));
                }
                while (answers.size() < 50) {
                    Thread.onSpinWait();
                }
                first.close();
                closed.set(true);
                for (Future<?> one : running) {
                    one.get(60, TimeUnit.SECONDS);
                }
            }
            assertThat(answers.values()).allSatisfy(answer -> {
                assertThat(answer.statusCode()).as("%s", answer.body()).isIn(201, 202, 503);
                assertThat(answer.headers().firstValue("Retry-After").isPresent())
                        .isEqualTo(answer.statusCode() != 201);
                assertThat(answer.body()).doesNotContain("the client is closed");
            });
            for (String item : answers.keySet()) {
                assertThat(post(second.address(), "/v1/reservations", hold("leaving:soup", item))
                                .statusCode())
                        .as(item)
                        .isIn(200, 201);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void https_with_tokens_serves_who_has_one_and_nobody_else() throws Exception {
        Path keys = KeyFiles.selfSigned(folder.resolve("server.p12"), "server");
        String token = "correct-horse-battery-staple";
        var settings = settings(
                "tls",
                Map.of(
                        "HOLDFAST_HTTP_TLS_KEYSTORE",
                        keys.toString(),
                        "HOLDFAST_HTTP_TLS_KEYSTORE_PASSWORD",
                        KeyFiles.PASSWORD,
                        "HOLDFAST_HTTP_TOKENS",
                        "shop:" + sha256(token)));
        try (var node = Node.start(settings)) {
            assertThat(node.address().getScheme()).isEqualTo("https");
            URI pool = node.address().resolve("/v1/pools/tls:soup");
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trusting(keys)).build();
            assertThat(get(trusting, pool, token).statusCode()).isEqualTo(404);
            assertThat(get(trusting, pool, "").statusCode()).isEqualTo(401);
            assertThat(get(trusting, pool, token + "r").statusCode()).isEqualTo(401);
            assertThatThrownBy(() -> get(PLAIN, URI.create(pool.toString().replace("https:", "http:")), token))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_request_that_has_begun_is_answered_while_the_node_stops() throws Exception {
        try (var redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("drained-redis")))) {
            var node = Node.start(settings("drained", Map.of("HOLDFAST_REDIS_URL", redis.uri())));
            put(node.address(), "/v1/pools/drained:soup", "{\"total\":1}");
            redis.pause();
            var waiting = PLAIN.sendAsync(
                    json(node.address(), "/v1/reservations")
                            .header("Prefer", "wait=3")
                            .POST(BodyPublishers.ofString(hold("drained:soup", "i-1")))
                            .build(),
                    BodyHandlers.ofString());
            URI reservation =
                    node.address().resolve("/v1/reservations/" + ReservationIds.journalFirst("drained", "soup", "i-1"));
            while (!get(PLAIN, reservation, "").body().contains("PREPARING")) {
                assertThat(waiting).isNotDone();
            }
            node.close();
            assertThat(waiting.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
            redis.resume();
        }
    }

    @Test
    void roles_with_the_least_privileges_are_enough() throws Exception {
        var server = SharedStack.postgres();
        String database = SharedStack.freshDatabase("roles");
        try (Connection owner = DriverManager.getConnection(database, server.user(), server.password());
                var statement = owner.createStatement()) {
            statement.execute("create role holdfast_journal login password 'j'");
            statement.execute("create role holdfast_projection login password 'p'");
        }
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL",
                database,
                "HOLDFAST_POSTGRES_USER",
                "holdfast_journal",
                "HOLDFAST_POSTGRES_PASSWORD",
                "j",
                "HOLDFAST_POSTGRES_PROJECTOR",
                "holdfast_projection",
                "HOLDFAST_POSTGRES_PROJECTOR_PASSWORD",
                "p",
                "HOLDFAST_POSTGRES_OWNER",
                server.user(),
                "HOLDFAST_POSTGRES_OWNER_PASSWORD",
                server.password(),
                "HOLDFAST_REDIS_URL",
                SharedStack.redis().uri()));
        try (var node = Node.start(settings)) {
            put(node.address(), "/v1/pools/roles:soup", "{\"total\":1}");
            assertThat(post(node.address(), "/v1/reservations", hold("roles:soup", "i-1"))
                            .statusCode())
                    .isEqualTo(201);
        }
        try (Connection journal = DriverManager.getConnection(database, "holdfast_journal", "j");
                var statement = journal.createStatement()) {
            assertThatThrownBy(() -> statement.execute("delete from event_journal"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void an_api_port_that_is_taken_is_said_in_one_line_and_leaves_nothing_running() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                var cluster = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int clusterPort = cluster.getLocalPort();
            cluster.close();
            var settings = settings(
                    "taken",
                    Map.of(
                            "HOLDFAST_HTTP_PORT", Integer.toString(taken.getLocalPort()),
                            "HOLDFAST_CLUSTER_PORT", Integer.toString(clusterPort)));
            assertThatThrownBy(() -> Node.start(settings))
                    .isInstanceOf(StartException.class)
                    .hasMessage("The API can't listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": free the port, or choose another with holdfast.http.port.");
            new ServerSocket(clusterPort, 1, InetAddress.getByName("127.0.0.1")).close();
        }
    }

    @Test
    void a_schema_nobody_migrated_is_said_and_not_touched() throws Exception {
        var settings = settings("bare", Map.of("HOLDFAST_POSTGRES_MIGRATE", "false"));
        assertThatThrownBy(() -> Node.start(settings))
                .isInstanceOf(io.holdfast.config.sql.MigrationException.class)
                .hasMessageContaining("the database schema is not the one this version needs");
        var server = SharedStack.postgres();
        try (Connection connection =
                        DriverManager.getConnection(server.jdbcUrl("bare"), server.user(), server.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from pg_tables where schemaname = 'public'")) {
            row.next();
            assertThat(row.getInt(1)).isZero();
        }
    }

    private static Settings settings(String database, Map<String, String> changes) throws SQLException {
        PostgresServer server = SharedStack.postgres();
        Map<String, String> all = new HashMap<>(Map.of(
                "HOLDFAST_POSTGRES_URL", database(server, database),
                "HOLDFAST_POSTGRES_USER", server.user(),
                "HOLDFAST_POSTGRES_PASSWORD", server.password(),
                "HOLDFAST_REDIS_URL", SharedStack.redis().uri()));
        all.putAll(changes);
        return TestSettings.with(all);
    }

    /** Made the first time it is asked for. */
    private static String database(PostgresServer server, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery("select 1 from pg_database where datname = '" + name + "'")) {
            return row.next() ? server.jdbcUrl(name) : server.createDatabase(name);
        }
    }

    private static String hold(String pool, String item) {
        return "{\"pool\":\"" + pool + "\",\"order_id\":\"o-1\",\"order_item_id\":\"" + item + "\",\"quantity\":1}";
    }

    private static HttpResponse<String> get(HttpClient client, URI uri, String token)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(uri);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return OpenApi.send(client, request.GET().build(), "");
    }

    private static HttpResponse<String> put(URI base, String path, String body)
            throws IOException, InterruptedException {
        return OpenApi.send(
                PLAIN, json(base, path).PUT(BodyPublishers.ofString(body)).build(), body);
    }

    private static HttpResponse<String> post(URI base, String path, String body)
            throws IOException, InterruptedException {
        return OpenApi.send(
                PLAIN,
                json(base, path)
                        .header("Prefer", "wait=20")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                body);
    }

    private static HttpRequest.Builder json(URI base, String path) {
        return HttpRequest.newBuilder(base.resolve(path)).header("Content-Type", "application/json");
    }

    private static SSLContext trusting(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(keys)) {
            store.load(in, KeyFiles.PASSWORD.toCharArray());
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
