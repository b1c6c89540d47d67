package io.holdfast.reservation.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpOrderDirectoryTest {

    private static final AskOrder QUESTION = new AskOrder(
            "r-1",
            PoolId.parse("m-1:soup:2026-07-25"),
            new Line("m-1", "soup", "o-1", "i-1", Optional.empty()),
            3,
            0,
            EffectPolicies.standard().inquiry().retry());
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private volatile int status = 202;
    private volatile boolean waits;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        mayAnswer.countDown();
        for (AutoCloseable each : open) {
            each.close();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        try {
            if (waits) {
                mayAnswer.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private HttpOrderDirectory directory(Optional<String> token, Duration timeout, int together) {
        var directory = new HttpOrderDirectory(
                new OrderUrl("http://127.0.0.1:" + server.getAddress().getPort()
                        + "/orders/{order}/publish?of={reservation}"),
                token,
                timeout,
                together);
        open.add(directory);
        return directory;
    }

    private static CompletableFuture<Outcome<OrderAnswer>> ask(HttpOrderDirectory directory) {
        return directory.publishAgain(QUESTION).toCompletableFuture();
    }

    @Test
    void the_question_names_the_order_the_hold_and_itself() {
        assertThat(ask(directory(Optional.of("secret"), PATIENCE, 1)).join())
                .isEqualTo(Outcome.known(OrderAnswer.PUBLISHES));
        assertThat(asked)
                .containsExactly("POST /orders/o-1/publish?of=r-1 Bearer secret ASK:r-1:3"
                        + " {\"order_id\":\"o-1\",\"order_item_id\":\"i-1\",\"reservation_id\":\"r-1\","
                        + "\"merchant\":\"m-1\",\"dish\":\"soup\",\"asked\":3}");
    }

    @Test
    void without_a_token_none_is_sent() {
        ask(directory(Optional.empty(), PATIENCE, 1)).join();
        assertThat(asked.getFirst()).contains(" null ASK:r-1:3 ");
    }

    @ParameterizedTest
    @CsvSource({
        "200, PUBLISHES",
        "202, PUBLISHES",
        "204, PUBLISHES",
        "302, REFUSED",
        "307, REFUSED",
        "400, REFUSED",
        "401, REFUSED",
        "404, UNKNOWN_ORDER",
        "408, UNREACHED",
        "410, UNKNOWN_ORDER",
        "425, UNREACHED",
        "429, UNREACHED",
        "500, UNREACHED",
        "503, UNREACHED"
    })
    void what_a_status_means(int code, OrderAnswer answer) {
        status = code;
        assertThat(ask(directory(Optional.empty(), PATIENCE, 1)).join()).isEqualTo(Outcome.known(answer));
        assertThat(asked).as("no redirect is followed, nothing is asked twice").hasSize(1);
    }

    @Test
    void silence_and_a_closed_door_mean_that_nobody_was_reached() {
        waits = true;
        assertThat(ask(directory(Optional.empty(), Duration.ofMillis(200), 1)).join())
                .isEqualTo(Outcome.known(OrderAnswer.UNREACHED));
        mayAnswer.countDown();
        server.stop(0);
        assertThat(ask(directory(Optional.empty(), PATIENCE, 1)).join())
                .isEqualTo(Outcome.known(OrderAnswer.UNREACHED));
    }

    @Test
    void a_crowd_does_not_become_a_crowd_at_the_door() {
        waits = true;
        HttpOrderDirectory directory = directory(Optional.empty(), PATIENCE, 2);
        var one = ask(directory);
        var two = ask(directory);
        assertThat(ask(directory)).isCompletedWithValue(Outcome.known(OrderAnswer.UNREACHED));
        mayAnswer.countDown();
        assertThat(one.join()).isEqualTo(Outcome.known(OrderAnswer.PUBLISHES));
        assertThat(two.join()).isEqualTo(Outcome.known(OrderAnswer.PUBLISHES));
        assertThat(ask(directory).join()).as("there is room again").isEqualTo(Outcome.known(OrderAnswer.PUBLISHES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ftp://x/{order}", "/orders/{order}", "https://x/{id}", "https://me:secret@x/{order}", "https:x"
            })
    void what_is_no_address_is_refused(String template) {
        assertThatIllegalArgumentException().isThrownBy(() -> new OrderUrl(template));
    }
}
