package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.openapi.OpenApi;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A comparison asked for at a terminal: what it prints, and an exit code a script can tell apart. */
@Isolated("reads what the process prints")
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReconcileCommandTest {

    /** Another one when the test runs again: Redis still knows the pool of the first time. */
    private final String merchant = "compared" + System.nanoTime();

    private final String pool = merchant + ":soup:2030-05-17";
    private final String id = ReservationIds.journalFirst(merchant, "soup", "i-1");

    @TempDir
    Path folder;

    @Test
    void it_says_what_differs_and_fails_until_that_is_put_right() throws Exception {
        PostgresServer server = SharedStack.postgres();
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", server.createDatabase("reconcile_" + System.nanoTime()),
                "HOLDFAST_POSTGRES_USER", server.user(),
                "HOLDFAST_POSTGRES_PASSWORD", server.password(),
                "HOLDFAST_REDIS_URL", SharedStack.redis().uri(),
                "HOLDFAST_RECONCILIATION_EVERY", "0s",
                "HOLDFAST_RECONCILIATION_MARGIN", "0s"));
        try (var node = Node.start(settings)) {
            send(node.address(), "PUT", "/v1/pools/" + pool, "{\"total\":3}");
            send(
                    node.address(),
                    "POST",
                    "/v1/reservations",
                    "{\"pool\":\"" + pool + "\",\"order_id\":\"o-1\",\"order_item_id\":\"i-1\",\"quantity\":2}");
            assertThat(reconcile(node, 0, pool, "--full")).contains("COMPLETED");
            SharedStack.redis().ask("DEL", "hf:{" + pool + "}:r:" + id);
            // What is younger than the oldest transaction of the server, of whichever test, is not judged yet.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(reconcile(node, 1, "--prefix", merchant + ":", "--full"))
                            .contains(pool + " " + id + " FENCE_MISSING REPAIR OPEN", "redis    no fence"));
            assertThat(reconcile(node, 0, pool, "--full", "--repair")).contains("REPAIRED (put right)");
            assertThat(reconcile(node, 2, "nosuch:pool")).isEmpty();
            assertThat(reconcile(node, 2, "no pool")).isEmpty();
            assertThat(reconcile(node, 1, "--prefix", "compard" + merchant))
                    .contains("FAILED")
                    .doesNotContain("COMPLETED");
            assertThat(reconcile(node, 0, "--all", "--full")).doesNotContain("FENCE_MISSING");
        }
    }

    private String reconcile(Node node, int exitCode, String... arguments) throws IOException {
        String config = Files.writeString(folder.resolve("node.conf"), """
            holdfast.node.mode = development
            holdfast.postgres.url = "jdbc:postgresql://127.0.0.1:1/holdfast"
            holdfast.redis.url = "redis://127.0.0.1:1"
            """).toString();
        String[] all = new String[arguments.length + 5];
        all[0] = "reconcile";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        System.arraycopy(
                new String[] {"--url", node.address().toString(), "--config", config}, 0, all, arguments.length + 1, 4);
        PrintStream realOut = System.out;
        var out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            assertThat(NodeMain.run(all)).isEqualTo(exitCode);
        } finally {
            System.setOut(realOut);
        }
        return out.toString(StandardCharsets.UTF_8);
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
