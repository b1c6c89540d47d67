package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.health.Health;
import io.holdfast.http.health.HealthCheck;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EdgeTest {

    private static final String RESERVATION = "/v1/reservations/" + ReservationIds.journalFirst("m1", "noodles", "i1");

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.withPool(10);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static void problem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.text("type")).isEqualTo("/errors/" + code);
        assertThat(answer.json().path("status").asInt()).isEqualTo(status);
        assertThat(answer.text("title")).isNotBlank();
        assertThat(answer.text("detail")).isNotBlank();
        assertThat(answer.header("Trace-Id").orElseThrow()).matches("[0-9a-f]{32}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//",
                "/v1/nothing",
                "/v2/pools/a:b",
                "/v1/pools/",
                "/v1/pools/a:b/",
                "/v1/pools/a:b/burn",
                "/v1/reservations/",
                "/v1/machines/",
                "/health",
                "/docs/adr",
                "/errors/NO_SUCH_CODE",
                "/errors/sold_out"
            })
    void an_unknown_address_is_404(String path) {
        Answer answer = node.get(path);
        problem(answer, 404, "NO_SUCH_ROUTE");
        assertThat(answer.text("instance")).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /v1/pools/a:b, 'GET, HEAD, PUT'",
        "POST, /v1/pools/a:b, 'GET, HEAD, PUT'",
        "GET, /v1/pools/a:b/pause, POST",
        "PUT, /v1/reservations, 'GET, HEAD, POST'",
        "PATCH, /v1/reservations/0123456789abcdef0123456789abcdef, 'GET, HEAD'",
        "GET, /v1/reservations/0123456789abcdef0123456789abcdef/confirm, POST",
        "GET, /v1/reservations/0123456789abcdef0123456789abcdef/freeze, POST",
        "PUT, /v1/reservations/0123456789abcdef0123456789abcdef/resolve, POST",
        "POST, /health/live, 'GET, HEAD'",
        "POST, /metrics, 'GET, HEAD'",
        "DELETE, /errors/SOLD_OUT, 'GET, HEAD'"
    })
    void a_known_address_with_another_method_is_405_and_says_which(String method, String path, String allowed) {
        Answer answer = node.method(method, path);
        problem(answer, 405, "METHOD_NOT_ALLOWED");
        assertThat(answer.header("Allow")).contains(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/xml, text/*", "application/json;q=0"})
    void a_caller_who_accepts_no_json_is_406(String accept) {
        problem(node.get(RESERVATION, "Accept", accept), 406, "NOT_ACCEPTABLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/problem+json"})
    void what_a_406_says_of_accept_is_true(String accept) {
        Answer answer = node.get(RESERVATION, "Accept", accept);
        problem(answer, 406, "NOT_ACCEPTABLE");
        assertThat(answer.text("detail"))
                .isEqualTo("This address answers application/json, which Accept has to take; problems are"
                        + " application/problem+json whatever it takes.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "text/html, application/json;q=0.1", "application/json"})
    void a_caller_who_accepts_json_is_served(String accept) {
        problem(node.get(RESERVATION, "Accept", accept), 404, "UNKNOWN_RESERVATION");
    }

    @Test
    void the_trace_of_the_caller_is_echoed_and_a_malformed_one_replaced() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        assertThat(node.get(RESERVATION, "traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                        .header("Trace-Id"))
                .contains(trace);
        for (String malformed : List.of(
                "00-" + trace.toUpperCase(java.util.Locale.ROOT) + "-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "ff-" + trace + "-b7ad6b7169203331-01",
                "x")) {
            assertThat(node.get(RESERVATION, "traceparent", malformed)
                            .header("Trace-Id")
                            .orElseThrow())
                    .matches("[0-9a-f]{32}")
                    .isNotEqualTo(trace);
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class What_is_no_request {

        private String send(String request) {
            return RawHttp.send(node.port(), request);
        }

        private void refused(String response, int status, String code) {
            assertThat(response).startsWith("HTTP/1.1 " + status + " ");
            assertThat(response).contains("Content-Type: application/problem+json");
            assertThat(response).containsIgnoringCase("Trace-Id: ");
            assertThat(response).contains("\"code\":\"" + code + "\"");
            assertThat(response).doesNotContain("pekko", "Exception", "Illegal");
        }

        @Test
        void garbage_is_a_problem() {
            refused(send("hello, is anybody there?\r\n\r\n"), 405, "METHOD_NOT_ALLOWED");
            refused(send("GET nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 404, "NO_SUCH_ROUTE");
            refused(send("GET /a%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), 400, "MALFORMED_HTTP");
            refused(
                    send("GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n"),
                    400,
                    "MALFORMED_HTTP");
        }

        @Test
        void an_unknown_method_is_a_problem() {
            for (String path : List.of("/coffee", "/v1/pools/a:b", "/health/live")) {
                String answer = send("BREW " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                refused(answer, 405, "METHOD_NOT_ALLOWED");
                assertThat(answer).contains("\r\nAllow: DELETE, GET, HEAD, POST, PUT\r\n");
            }
        }

        @Test
        void too_long_an_address_and_too_large_headers_are_problems() {
            refused(
                    send("GET /" + "a".repeat(5000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
                    414,
                    "URI_TOO_LONG");
            refused(
                    send("GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(20_000) + "\r\nConnection: close\r\n\r\n"),
                    431,
                    "HEADERS_TOO_LARGE");
        }

        @Test
        void too_many_headers_are_a_problem_of_their_own() {
            for (int many : new int[] {65, 66, 3000}) {
                refused(sendWith(many), 431, "HEADERS_TOO_LARGE");
            }
            for (int many : new int[] {2, 63, 64}) {
                assertThat(sendWith(many)).as("%d headers", many).startsWith("HTTP/1.1 200 ");
            }
        }

        /** So many headers, the usual ones among them. */
        private String sendWith(int many) {
            String headers = IntStream.range(0, many - 2)
                    .mapToObj(i -> "X-" + i + ": 1\r\n")
                    .collect(Collectors.joining());
            return send("GET /health/live HTTP/1.1\r\nHost: x\r\n" + headers + "Connection: close\r\n\r\n");
        }

        /** What came of it is an object that could be carried out. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Content-Length: 500\r\n\r\n{\"total\":1}",
                    "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"total\":1}\r\n",
                    "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"total\":1}\r\nzz\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n1f4\r\n{\"total\":1}",
                })
        void a_body_that_breaks_off_is_a_problem_and_nothing_is_done(String framed) {
            refused(
                    RawHttp.sendAndEnd(
                            node.port(),
                            "PUT /v1/pools/m1:cut HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + framed,
                            false),
                    400,
                    "MALFORMED_HTTP");
            assertThat(node.get("/v1/pools/m1:cut").code()).isEqualTo("POOL_UNKNOWN");
        }

        @Test
        void a_malformed_content_type_is_a_problem() {
            refused(
                    send("POST /v1/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: ;;\r\nContent-Length: 2\r\n"
                            + "Connection: close\r\n\r\n{}"),
                    415,
                    "UNSUPPORTED_MEDIA_TYPE");
        }

        @Test
        void a_query_that_is_no_list_of_parameters_is_refused() {
            String response =
                    send("GET " + RESERVATION + "?limit=%E8%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(response).startsWith("HTTP/1.1 400 ").contains("application/problem+json");
        }

        @Test
        void contradicting_lengths_are_refused() {
            refused(
                    send("POST /v1/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}"),
                    400,
                    "MALFORMED_HTTP");
        }
    }

    @Test
    void metrics_count_by_template_and_never_by_id() {
        node.get(RESERVATION);
        node.get("/nowhere/" + RESERVATION);
        String page = node.get("/metrics").body();

        assertThat(page)
                .contains(
                        "holdfast_http_requests_seconds_count{method=\"GET\",route=\"/v1/reservations/{id}\",status=\"404\"}")
                .contains("route=\"unmatched\"")
                .contains("holdfast_http_problems_total{code=\"UNKNOWN_RESERVATION\"}")
                .contains("holdfast_http_requests_active");
        assertThat(page).doesNotContain(ReservationIds.journalFirst("m1", "noodles", "i1"));
    }

    @Test
    void machines_are_shown_as_the_code_has_them() {
        var list = node.get("/v1/machines").json().path("machines");
        assertThat(list.path(0).path("name").asText()).isEqualTo("reservation");
        assertThat(list.path(1).path("self").asText()).isEqualTo("/v1/machines/stock-pool");

        var machine = node.get("/v1/machines/reservation").json();
        assertThat(machine.path("initial").asText()).isEqualTo("None");
        assertThat(machine.path("mermaid").asText())
                .startsWith("stateDiagram-v2")
                .contains("Preparing --> Reserved");
        assertThat(machine.path("states").findValuesAsText("name")).contains("Preparing", "Refunded");
        assertThat(machine.path("transitions").findValuesAsText("from")).contains("Confirming");
        assertThat(machine.path("matrix").findValuesAsText("result"))
                .contains("MOVES", "NOTED", "REPEATS", "REFUSES")
                .doesNotContain("BREAKS");
        problem(node.get("/v1/machines/order"), 404, "UNKNOWN_MACHINE");
    }

    @Test
    void answers_are_not_kept_by_caches_and_not_guessed_at_by_browsers() {
        Answer answer = node.get(RESERVATION);
        assertThat(answer.header("Cache-Control")).contains("no-store");
        assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void a_body_that_does_not_arrive_is_408() {
        var limits = HttpSettings.Limits.DEFAULT;
        try (TestNode hasty = TestNode.start(settings -> new HttpSettings(
                settings.host(),
                settings.port(),
                new HttpSettings.Limits(
                        limits.bodyBytes(),
                        java.time.Duration.ofMillis(50),
                        limits.json(),
                        limits.connections(),
                        limits.backlog(),
                        limits.queries(),
                        limits.queryThreads(),
                        limits.orderLines(),
                        limits.linesTogether()),
                settings.patience(),
                settings.access()))) {
            assertThat(RawHttp.send(
                            hasty.port(),
                            "POST /v1/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 20\r\nConnection: close\r\n\r\n{}"))
                    .startsWith("HTTP/1.1 408 ")
                    .contains("REQUEST_TOO_SLOW");
        }
    }

    @Test
    void a_crowd_that_comes_at_once_waits_in_the_queue_instead_of_being_turned_away() throws IOException {
        var limits = HttpSettings.Limits.DEFAULT;
        List<Socket> crowd = new ArrayList<>();
        try (TestNode narrow = TestNode.start(settings -> new HttpSettings(
                settings.host(),
                settings.port(),
                new HttpSettings.Limits(
                        limits.bodyBytes(),
                        limits.bodyTime(),
                        limits.json(),
                        1,
                        limits.backlog(),
                        limits.queries(),
                        limits.queryThreads(),
                        limits.orderLines(),
                        limits.linesTogether()),
                settings.patience(),
                settings.access()))) {
            for (int i = 0; i < 300; i++) {
                var socket = new Socket();
                crowd.add(socket);
                socket.connect(new InetSocketAddress("127.0.0.1", narrow.port()), 20_000);
            }
            assertThat(crowd).allMatch(Socket::isConnected);
        } finally {
            for (Socket socket : crowd) {
                socket.close();
            }
        }
    }

    @Test
    void head_is_get_without_a_body() {
        Answer answer = node.method("HEAD", "/health/live");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class Health_tells_the_truth {

        private HealthCheck check(String name, Supplier<CompletionStage<Health>> how) {
            return new HealthCheck() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public CompletionStage<Health> check() {
                    return how.get();
                }
            };
        }

        private HealthCheck saying(String name, Health health) {
            return check(name, () -> CompletableFuture.completedFuture(health));
        }

        @Test
        void ready_when_every_part_is_up() {
            try (TestNode ready =
                    TestNode.withChecks(saying("redis", Health.up()), saying("postgresql", Health.up()))) {
                Answer answer = ready.get("/health/ready");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text("status")).isEqualTo("UP");
                assertThat(answer.json().at("/checks/redis/status").asText()).isEqualTo("UP");
            }
        }

        @Test
        void not_ready_but_alive_when_a_part_is_down_fails_or_does_not_answer() {
            try (TestNode node = TestNode.withChecks(
                    saying("redis", Health.down("no connection")),
                    saying("cluster", Health.up()),
                    check("postgresql", () -> CompletableFuture.failedFuture(new IllegalStateException("secret"))),
                    check("journal", () -> {
                        throw new IllegalStateException("secret");
                    }),
                    check("view", CompletableFuture::new))) {
                Answer answer = node.get("/health/ready");
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.text("status")).isEqualTo("DOWN");
                assertThat(answer.json().at("/checks/redis/why").asText()).isEqualTo("no connection");
                assertThat(answer.json().at("/checks/cluster/status").asText()).isEqualTo("UP");
                assertThat(answer.json().at("/checks/postgresql/status").asText())
                        .isEqualTo("DOWN");
                assertThat(answer.json().at("/checks/journal/status").asText()).isEqualTo("DOWN");
                assertThat(answer.json().at("/checks/view/why").asText()).contains("no answer within");
                assertThat(answer.body()).doesNotContain("secret");
                assertThat(node.get("/health/live").status()).isEqualTo(200);
            }
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class With_tokens {

        private static String sha256(String token) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
            } catch (java.security.NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        @Test
        void only_a_known_token_is_let_in_and_its_name_is_journaled() {
            var access = new Access.Tokens(
                    List.of(new TokenHolder("shop", sha256("s3cret")), new TokenHolder("kitchen", sha256("other"))));
            try (TestNode guarded = TestNode.start(settings -> new HttpSettings(
                    settings.host(), settings.port(), settings.limits(), settings.patience(), access))) {
                for (String[] headers : new String[][] {
                    {},
                    {"Authorization", "Bearer wrong"},
                    {"Authorization", "Bearer "},
                    {"Authorization", "Basic czNjcmV0"},
                    {"Authorization", "s3cret"},
                    {"Authorization", "Bearer s3cret2"},
                    {"Authorization", "Bearer " + sha256("s3cret")}
                }) {
                    Answer refused = guarded.get("/v1/pools/" + TestNode.POOL, headers);
                    problem(refused, 401, "UNAUTHENTICATED");
                    assertThat(refused.header("WWW-Authenticate").orElseThrow()).startsWith("Bearer");
                    assertThat(refused.body()).doesNotContain("s3cret");
                }
                assertThat(guarded.put("/v1/pools/" + TestNode.POOL, "{\"total\":1}", "Authorization", "Bearer other")
                                .status())
                        .isEqualTo(201);
                assertThat(guarded.pools
                                .journal(TestNode.POOL)
                                .getFirst()
                                .meta()
                                .cause()
                                .actor())
                        .isEqualTo("kitchen");
                assertThat(guarded.get("/health/live").status()).isEqualTo(200);
                assertThat(guarded.get("/metrics").status()).isEqualTo(200);
                assertThat(guarded.get("/errors/UNAUTHENTICATED").status()).isEqualTo(200);
            }
        }
    }
}
