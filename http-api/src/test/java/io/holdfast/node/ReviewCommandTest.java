package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.openapi.OpenApi;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.reservation.domain.ReservationIds;
import io.lettuce.core.RedisClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A person who looks into a reservation at a terminal: sees why it waits, and says how it goes on. */
@Isolated("reads what the process prints")
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReviewCommandTest {

    private static final String POOL = "reviewed:soup:2030-05-17";
    private static final String ID = ReservationIds.journalFirst("reviewed", "soup", "i-1");

    /** Of this attempt alone: the Redis is shared. */
    private final String contradictedMerchant = "contradicted-" + System.nanoTime();

    private final String soldByHand = contradictedMerchant + ":soup:2030-05-17";

    @TempDir
    Path folder;

    private record Said(int exitCode, String out, String err) {}

    @Test
    void one_is_stopped_shows_why_it_waits_and_goes_on_as_it_was_decided() throws Exception {
        PostgresServer server = SharedStack.postgres();
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", server.createDatabase("review_" + System.nanoTime()),
                "HOLDFAST_POSTGRES_USER", server.user(),
                "HOLDFAST_POSTGRES_PASSWORD", server.password(),
                "HOLDFAST_REDIS_URL", SharedStack.redis().uri(),
                "HOLDFAST_RECONCILIATION_EVERY", "0s"));
        try (var node = Node.start(settings)) {
            send(node.address(), "PUT", "/v1/pools/" + POOL, "{\"total\":3}");
            send(
                    node.address(),
                    "POST",
                    "/v1/reservations",
                    "{\"pool\":\"" + POOL + "\",\"order_id\":\"o-1\",\"order_item_id\":\"i-1\",\"quantity\":2}");
            assertThat(review(node, "list").out()).isEqualTo("0 waiting\n");

            Said frozen = review(node, "freeze", ID, "--reason", "disputed, incident 5");
            assertThat(frozen.exitCode()).isZero();
            assertThat(frozen.out()).contains(ID + "  MANUAL_REVIEW  order o-1  2 of " + POOL);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> review(node, "list").out(), out -> out.contains("1 waiting"));
            assertThat(review(node, "list").out())
                    .contains(
                            "FROZEN: disputed, incident 5\n",
                            "kept RESERVED; may be resolved as CONTINUE, CONFIRMED, CANCELED, REFUNDED");

            Said nonsense = review(node, "resolve", ID, "--as", "sold", "--reason", "why");
            assertThat(nonsense.exitCode()).isEqualTo(2);
            assertThat(nonsense.err().lines()).singleElement().asString().contains("400: INVALID_REQUEST");

            Said resolved = review(node, "resolve", ID, "--as", "canceled", "--reason", "the customer gave up");
            assertThat(resolved.exitCode()).isZero();
            assertThat(resolved.out()).contains(ID + "  CANCELED");
            assertThat(review(node, "resolve", ID, "--as", "CONTINUE", "--reason", "why")
                            .err())
                    .contains("409: NOT_UNDER_REVIEW");
        }
    }

    /** The commands of the runbook, in its order, on a hold that Redis says was sold although its order failed. */
    @Test
    void what_redis_contradicts_is_resolved_as_the_runbook_says() throws Exception {
        PostgresServer server = SharedStack.postgres();
        String database = server.createDatabase("runbook_" + System.nanoTime());
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL",
                database,
                "HOLDFAST_POSTGRES_USER",
                server.user(),
                "HOLDFAST_POSTGRES_PASSWORD",
                server.password(),
                "HOLDFAST_REDIS_URL",
                SharedStack.redis().uri(),
                "HOLDFAST_RESERVATION_RETRY_LONGEST",
                "500ms",
                "HOLDFAST_RECONCILIATION_MARGIN",
                "0s",
                "HOLDFAST_RECONCILIATION_EVERY",
                "0s"));
        try (var node = Node.start(settings)) {
            send(node.address(), "PUT", "/v1/pools/" + soldByHand, "{\"total\":9}");
            for (String item : List.of("i-1", "i-2")) {
                send(
                        node.address(),
                        "POST",
                        "/v1/reservations",
                        "{\"pool\":\"" + soldByHand + "\",\"order_id\":\"o-1\",\"order_item_id\":\"" + item
                                + "\",\"quantity\":2}");
            }
            String contradicted = ReservationIds.journalFirst(contradictedMerchant, "soup", "i-1");
            String sold = ReservationIds.journalFirst(contradictedMerchant, "soup", "i-2");
            ask(node.address(), "POST", "/v1/reservations/" + sold + "/confirm", "{\"order_id\":\"o-1\"}");
            sellByHand(contradicted, sold);
            ask(node.address(), "POST", "/v1/reservations/" + contradicted + "/cancel", "{\"order_id\":\"o-1\"}");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> review(node, "list").out(), out -> out.contains("2 waiting"));
            assertThat(review(node, "list").out())
                    .contains("RELEASE:" + contradicted + "  MANUAL  2 of " + soldByHand, "CONFIRMED_ALREADY");
            assertThat(review(node, "resolve", contradicted, "--as", "CANCELED", "--reason", "why")
                            .err())
                    .contains("409: RESOLVED_AT_COMPENSATION");

            List<String> commands = Files.readAllLines(Path.of("../docs/runbook.md")).stream()
                    .map(String::strip)
                    .filter(line -> line.startsWith("./holdfast "))
                    .toList();
            assertThat(commands).hasSizeGreaterThan(4);
            for (String command : commands) {
                Said said = run(node, database, server, words(command, contradicted));
                assertThat(said.exitCode())
                        .as("%s\n%s%s", command, said.out(), said.err())
                        .isZero();
                if (command.contains("resolve")) {
                    assertThat(said.out()).contains("RELEASE:" + contradicted + "  RESOLVED");
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> review(node, "list").out(), out -> out.equals("0 waiting\n"));
                    assertThat(ask(node.address(), "GET", "/v1/reservations/" + contradicted, null))
                            .contains("\"status\":\"CONFIRMED\"");
                }
            }
            assertThat(ask(node.address(), "GET", "/v1/reservations/" + contradicted + "/evidence", null))
                    .containsSubsequence(
                            "payments", "order", "final stock", "reservation", "inbox", "RESOLVED", "redis")
                    .contains("\"phase\":\"CONFIRMED\"");
        }
    }

    /** As if somebody had confirmed it past Holdfast: the fence of one that was sold, and the numbers to it. */
    private void sellByHand(String reservation, String like) {
        RedisClient client = RedisClient.create(SharedStack.redis().uri());
        try (var connection = client.connect()) {
            String pool = "hf:{" + soldByHand + "}:";
            connection.sync().hset(pool + "r:" + reservation, connection.sync().hgetall(pool + "r:" + like));
            connection.sync().hincrby(pool + "stock", "reserved", -2);
            connection.sync().hincrby(pool + "stock", "sold", 2);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private List<String> words(String command, String reservation) {
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(command.substring("./holdfast ".length()));
        while (word.find()) {
            words.add((word.group(1) == null ? word.group(2) : word.group(1))
                    .replace("$RESERVATION", reservation)
                    .replace("$POOL", soldByHand));
        }
        return words;
    }

    @Test
    void where_no_node_answers_one_line_says_what_to_do() throws IOException {
        Said said = review(URI.create("http://127.0.0.1:1"), "list");
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err().lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: No node answers at http://127.0.0.1:1")
                .contains("./holdfast dev")
                .doesNotContain("null");
    }

    private Said review(Node node, String... arguments) throws IOException {
        return review(node.address(), arguments);
    }

    private Said review(URI node, String... arguments) throws IOException {
        String config = Files.writeString(folder.resolve("node.conf"), """
            holdfast.node.mode = development
            holdfast.postgres.url = "jdbc:postgresql://127.0.0.1:1/holdfast"
            holdfast.redis.url = "redis://127.0.0.1:1"
            """).toString();
        List<String> all = new ArrayList<>(List.of("review"));
        all.addAll(Arrays.asList(arguments));
        all.addAll(List.of("--url", node.toString(), "--config", config));
        return run(all);
    }

    /** A command of the runbook: those that read the database are given it, the others the node. */
    private Said run(Node node, String database, PostgresServer server, List<String> words) throws IOException {
        String config = Files.writeString(
                        folder.resolve("runbook.conf"), """
                            holdfast.node.mode = development
                            holdfast.postgres { url = "%s", user = "%s", password = "%s" }
                            holdfast.redis.url = "redis://127.0.0.1:1"
                            """.formatted(database, server.user(), server.password()))
                .toString();
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--config", config));
        if (!words.getFirst().equals("audit")) {
            all.addAll(List.of("--url", node.address().toString()));
        }
        return run(all);
    }

    private static Said run(List<String> all) {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            int exitCode = NodeMain.run(all.toArray(String[]::new));
            return new Said(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    private static String ask(URI node, String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(node.resolve(path))
                    .header("Content-Type", "application/json")
                    .header("Prefer", "wait=1")
                    .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .build();
            var response = OpenApi.send(client, request, body == null ? "" : body);
            assertThat(response.statusCode()).as(response.body()).isBetween(200, 202);
            return response.body();
        }
    }

    private static void send(URI node, String method, String path, String body)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(node.resolve(path))
                    .header("Content-Type", "application/json")
                    .header("Prefer", "wait=20")
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            assertThat(OpenApi.send(client, request, body).statusCode()).isEqualTo(201);
        }
    }
}
