package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.openapi.Example;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.openapi.OpenApi.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers that hang up in the middle of every request there is, and then make it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DisconnectTest {

    /** What is gone after it was carried out for somebody who never heard so. */
    private static final Set<String> ONCE = Set.of("removeWebhook", "retireWebhookSecret", "withdrawBaseline");

    private TestNode node;

    @BeforeAll
    void start() {
        node = TestNode.start(DisconnectTest::impatient);
        DocumentRoutesTest.furnish(node);
    }

    @AfterAll
    void stop() {
        await().atMost(Duration.ofSeconds(30)).until(() -> node.followers.open.get() == 0);
        assertThat(node.get("/health/ready").status()).isEqualTo(200);
        var pool = node.get("/v1/pools/m1:noodles").json().at("/redis/books");
        assertThat(pool.path("available").asLong()
                        + pool.path("reserved").asLong()
                        + pool.path("sold").asLong())
                .as("no unit is lost: %s", pool)
                .isEqualTo(pool.path("total").asLong() + pool.path("deficit").asLong());
        assertThat(node.get("/metrics").body())
                .as("none of them is a fault of ours")
                .doesNotContain("status=\"500\"");
        node.close();
    }

    static List<Operation> operations() {
        return OpenApi.get().operations().stream()
                .filter(operation -> !operation.node().at("/tags/0").asText().equals(DocumentRoutesTest.WITH_KAFKA))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void a_caller_that_hangs_up_leaves_nothing_that_the_next_one_meets(Operation operation) throws IOException {
        for (Example example : Example.of(operation, Map.of())) {
            String[] signature = DocumentRoutesTest.signature(example);
            byte[] request = written(example, signature).getBytes(StandardCharsets.UTF_8);
            int head = request.length - example.body().getBytes(StandardCharsets.UTF_8).length;
            for (int cut : new TreeSet<>(
                    List.of(1, head / 2, head - 1, head, (head + request.length) / 2, request.length - 1))) {
                if (cut < request.length) {
                    hangUpAfter(Arrays.copyOf(request, cut));
                }
            }
            assertThat(statusOf(example, signature))
                    .as("nothing came of what was never said whole")
                    .isEqualTo(example.status());
            if (!ONCE.contains(example.name())) {
                hangUpAfter(request);
                assertThat(statusOf(example, signature)).as("asked again").isIn(example.status(), 200, 204, 409);
            }
        }
    }

    /** What it is answered, once there is room for it: who hung up may for a moment be taken for one who is slow. */
    private int statusOf(Example example, String... headers) {
        var status = new AtomicInteger();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            status.set(node.send(example, headers).status());
            return status.get() != 503;
        });
        return status.get();
    }

    /** Who does not go on with a body within so short a time is taken for gone. */
    private static HttpSettings impatient(HttpSettings settings) {
        var usual = settings.limits();
        return new HttpSettings(
                settings.host(),
                settings.port(),
                new HttpSettings.Limits(
                        usual.bodyBytes(),
                        Duration.ofSeconds(1),
                        usual.headTime(),
                        usual.json(),
                        usual.connections(),
                        usual.backlog(),
                        usual.queries(),
                        usual.queryThreads(),
                        usual.orderLines(),
                        usual.linesTogether()),
                settings.patience(),
                settings.access());
    }

    private String written(Example example, String... more) {
        var text =
                new StringBuilder(example.operation().method() + " " + example.target() + " HTTP/1.1\r\nHost: h\r\n");
        for (String[] headers : List.of(example.headers().toArray(String[]::new), more)) {
            for (int i = 0; i < headers.length; i += 2) {
                text.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
        }
        if (!example.mediaType().isEmpty()) {
            text.append("Content-Type: ").append(example.mediaType()).append("\r\nContent-Length: ");
            text.append(example.body().getBytes(StandardCharsets.UTF_8).length).append("\r\n");
        }
        return text + "\r\n" + example.body();
    }

    /** With a reset: nobody is left who could be told anything. */
    private void hangUpAfter(byte[] sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(sent);
        }
    }
}
