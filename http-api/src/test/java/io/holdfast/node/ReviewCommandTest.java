package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

    private static void send(URI node, String method, String path, String body)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(node.resolve(path))
                    .header("Content-Type", "application/json")
                    .header("Prefer", "wait=20")
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(201);
        }
    }
}
