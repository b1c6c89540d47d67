package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.RateLimits;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.http.token.Issuer;
import io.holdfast.http.token.JwtSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes too long, too much or too often is cut off, on a node that listens, byte by byte. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CutOffTest {

    private static final String HASH_OF_TOKEN = "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0";

    private final Issuer issuer = new Issuer(Issuer.RSA);
    private final TestNode node = TestNode.start(settings -> {
        var usual = settings.limits();
        return new HttpSettings(
                settings.host(),
                settings.port(),
                new HttpSettings.Limits(
                        usual.bodyBytes(),
                        Duration.ofMillis(300),
                        Duration.ofMillis(600),
                        usual.json(),
                        usual.connections(),
                        usual.backlog(),
                        usual.queries(),
                        usual.queryThreads(),
                        usual.orderLines(),
                        usual.linesTogether()),
                settings.patience(),
                new Access.Tokens(
                        List.of(new TokenHolder(
                                new Caller("shop", Set.of(Role.CLIENT), new Scope.All()), HASH_OF_TOKEN)),
                        Optional.of(new JwtSettings(
                                "https://login",
                                "holdfast",
                                issuer.keys(),
                                Set.of("RS256"),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(15),
                                Duration.ofSeconds(30),
                                Duration.ZERO,
                                Duration.ofSeconds(2),
                                "roles",
                                "merchants"))),
                new RateLimits(Map.of(Role.AUDITOR, 1, Role.USER, 1), Duration.ofSeconds(3), 100));
    });

    @AfterAll
    void stop() {
        node.close();
        issuer.close();
    }

    // ---- slow

    /** All that comes back until the server ends the connection, while these bytes are sent for ever, one at a time. */
    private String drip(String head, char forEver) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
                var dripping = Executors.newSingleThreadScheduledExecutor()) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            dripping.scheduleAtFixedRate(
                    () -> {
                        try {
                            socket.getOutputStream().write(forEver);
                        } catch (IOException e) {
                            throw new IllegalStateException("closed", e);
                        }
                    },
                    0,
                    50,
                    TimeUnit.MILLISECONDS);
            var got = new ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(got);
            } catch (SocketException _) {
                // Reset: ended as well.
            } finally {
                dripping.shutdownNow();
            }
            return got.toString(StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "GET /health/live HTTP/1.1\r\n",
                "GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: a",
            })
    void a_head_that_drips_in_is_cut_off(String begin) throws IOException {
        assertThat(drip(begin, 'a')).as("no answer to what was no request").doesNotContain("HTTP/1.1 200");
    }

    @Test
    void a_connection_that_is_not_used_any_more_is_closed() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
            socket.setSoTimeout(20_000);
            for (int i = 0; i < 2; i++) {
                socket.getOutputStream()
                        .write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers.split("HTTP/1.1 200", -1))
                    .as("both are answered, then it ends")
                    .hasSize(3);
        }
    }

    @Test
    void a_body_that_drips_in_is_cut_off_whoever_sends_it() throws IOException {
        String head = "POST /v1/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 9000\r\n";
        assertThat(drip(head + "Authorization: Bearer token\r\n\r\n{", ' '))
                .startsWith("HTTP/1.1 408 ")
                .contains("REQUEST_TOO_SLOW");
        assertThat(drip(head + "\r\n{", ' ')).startsWith("HTTP/1.1 401 ");
        assertThat(drip(head.replace("Content-Length: 9000", "Transfer-Encoding: chunked") + "\r\n", '1'))
                .startsWith("HTTP/1.1 401 ");
    }

    // ---- large

    private String post(String headers, byte[] body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
            socket.setSoTimeout(20_000);
            var out = socket.getOutputStream();
            out.write(
                    ("POST /v1/reservations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\nConnection: close\r\n"
                                    + headers + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            try {
                out.write(body);
            } catch (SocketException _) {
                // It did not wait for the end: that is the point.
            }
            var got = new ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(got);
            } catch (SocketException _) {
                // Reset after the answer.
            }
            return got.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_body_that_is_too_large_is_refused_by_its_length_or_when_it_has_become_so() throws IOException {
        assertThat(post("Content-Type: application/json\r\nContent-Length: 999999999999\r\n", new byte[0]))
                .startsWith("HTTP/1.1 413 ")
                .contains("BODY_TOO_LARGE");
        var chunks = new ByteArrayOutputStream();
        for (int i = 0; i < 40; i++) {
            chunks.writeBytes(("400\r\n" + " ".repeat(0x400) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(post("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", chunks.toByteArray()))
                .startsWith("HTTP/1.1 413 ")
                .contains("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "gzip, gzip"})
    void a_compressed_body_is_never_unpacked(String encoding) throws IOException {
        var bomb = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bomb)) {
            byte[] blanks = " ".repeat(1024).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 8 * 1024; i++) {
                zip.write(blanks);
            }
        }
        assertThat(bomb.size()).as("small enough to be let in as it is").isLessThan(16 * 1024);
        assertThat(post(
                        "Content-Type: application/json\r\nContent-Encoding: " + encoding + "\r\nContent-Length: "
                                + bomb.size() + "\r\n",
                        bomb.toByteArray()))
                .startsWith("HTTP/1.1 415 ")
                .contains("UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "{\"lines\":["})
    void a_body_that_is_nested_too_deep_is_refused(String opening) throws IOException {
        byte[] deep = opening.repeat(16_000 / opening.length()).getBytes(StandardCharsets.US_ASCII);
        assertThat(post("Content-Type: application/json\r\nContent-Length: " + deep.length + "\r\n", deep))
                .startsWith("HTTP/1.1 400 ")
                .contains("INVALID_REQUEST");
    }

    @Test
    void too_many_headers_are_refused() {
        String many = "X-A: b\r\n".repeat(500);
        assertThat(RawHttp.send(
                        node.port(), "GET /health/live HTTP/1.1\r\nHost: x\r\n" + many + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 4")
                .contains("application/problem+json");
    }

    // ---- often

    private static String signed(String subject, String... roles) {
        return Issuer.sign(
                Issuer.RSA,
                JWSAlgorithm.RS256,
                new JWTClaimsSet.Builder()
                        .issuer("https://login")
                        .audience("holdfast")
                        .subject(subject)
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .claim("roles", List.of(roles))
                        .claim("merchants", List.of("*"))
                        .build());
    }

    private Answer ask(String token) {
        return node.get("/v1/machines", "Authorization", "Bearer " + token);
    }

    @Test
    void a_caller_that_asks_too_often_is_told_when_to_come_again_and_others_are_not() {
        String eager = signed("eager", "auditor");
        for (int i = 0; i < 3; i++) {
            assertThat(ask(eager).status()).as("what is saved up").isEqualTo(200);
        }
        Answer refused = ask(eager);
        for (int i = 0; i < 20 && refused.status() == 200; i++) {
            refused = ask(eager);
        }
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("TOO_MANY_REQUESTS");
        assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow())).isBetween(1L, 2L);
        assertThat(ask(signed("calm", "auditor")).status()).isEqualTo(200);
        String roleless = signed("roleless");
        assertThat(Stream.generate(() -> ask(roleless).status()).limit(30))
                .as("without a role there is no way around")
                .contains(403, 429);
        for (int i = 0; i < 10; i++) {
            assertThat(ask("token").status()).as("a role without a limit").isEqualTo(200);
            assertThat(ask(signed("both", "auditor", "client")).status())
                    .as("the most generous role counts")
                    .isEqualTo(200);
        }
    }

    @Test
    void a_signed_token_lets_in_and_names_its_subject_and_a_wrong_one_does_not_say_why() {
        assertThat(ask(signed("somebody", "client")).status()).isEqualTo(200);
        assertThat(ask(signed("nobody")).status()).isEqualTo(403);
        String cut = signed("somebody", "client");
        Answer refused = ask(cut.substring(0, cut.length() - 8) + "AAAAAAAA");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
        assertThat(refused.body()).doesNotContain("signature").doesNotContain(cut.substring(0, 20));
    }

    @Test
    void without_the_keys_of_the_issuer_nobody_is_blamed() {
        try (var away = new Issuer(Issuer.RSA);
                TestNode other = TestNode.start(settings -> new HttpSettings(
                        settings.host(),
                        settings.port(),
                        settings.limits(),
                        settings.patience(),
                        new Access.Tokens(
                                List.of(),
                                Optional.of(new JwtSettings(
                                        "https://login",
                                        "holdfast",
                                        away.keys(),
                                        Set.of("RS256"),
                                        Duration.ofSeconds(30),
                                        Duration.ofMinutes(15),
                                        Duration.ofSeconds(30),
                                        Duration.ZERO,
                                        Duration.ofSeconds(2),
                                        "roles",
                                        "merchants")))))) {
            away.answer(500);
            Answer refused = other.get("/v1/machines", "Authorization", "Bearer " + signed("somebody", "client"));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("KEYS_UNAVAILABLE");
            assertThat(refused.header("Retry-After")).isPresent();
        }
    }
}
