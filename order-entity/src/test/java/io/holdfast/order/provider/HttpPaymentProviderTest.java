package io.holdfast.order.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider.CloseAnswer;
import io.holdfast.order.port.PaymentProvider.GiveBackAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpPaymentProviderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Instant PAID_AT = Instant.parse("2026-06-25T08:59:00Z");
    private static final Payment PAYMENT = new Payment("p-1", "sandbox", "t-1", new Money(1990, "EUR"), PAID_AT);

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private HttpPaymentProvider provider;
    private volatile int status = 200;
    private volatile String body = "{}";
    private volatile boolean waits;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        provider = provider(PATIENCE);
    }

    private HttpPaymentProvider provider(Duration timeout) {
        return new HttpPaymentProvider(
                "sandbox",
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v2"),
                Optional.of("token"),
                timeout,
                1);
    }

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        provider.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        arrived.countDown();
        try {
            if (waits) {
                mayAnswer.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        byte[] answer = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
        if (answer.length > 0) {
            exchange.getResponseBody().write(answer);
        }
        exchange.close();
    }

    private Outcome<CloseAnswer> closed() {
        return provider.close("r-1").toCompletableFuture().join();
    }

    private Outcome<GiveBackAnswer> given() {
        return provider.giveBack("REFUND:r-1:f-1", PAYMENT, new Money(990, "EUR"))
                .toCompletableFuture()
                .join();
    }

    @Test
    void an_order_nobody_paid_is_closed() {
        body = "{\"status\":\"CLOSED\",\"since\":\"today\"}";
        assertThat(closed()).isEqualTo(Outcome.known(new CloseAnswer.Closed()));
        assertThat(asked).containsExactly("POST /v2/orders/r-1/close Bearer token CLOSE:r-1 {}");
    }

    @Test
    void an_order_that_was_paid_comes_with_its_payment() {
        body = "{\"status\":\"PAID\",\"payment_id\":\"p-1\",\"provider_transaction\":\"t-1\",\"amount\":1990,"
                + "\"currency\":\"EUR\",\"paid_at\":\"2026-06-25T08:59:00Z\"}";
        assertThat(closed()).isEqualTo(Outcome.known(new CloseAnswer.IsPaid(PAYMENT)));
    }

    @Test
    void money_goes_back_under_its_operation() {
        status = 201;
        body = "{\"reference\":\"back-1\"}";
        assertThat(given()).isEqualTo(Outcome.known(new GiveBackAnswer.GivenBack("back-1")));
        assertThat(asked)
                .containsExactly("POST /v2/payments/t-1/refunds Bearer token REFUND:r-1:f-1"
                        + " {\"payment_id\":\"p-1\",\"amount\":990,\"currency\":\"EUR\"}");
    }

    @ParameterizedTest
    @ValueSource(ints = {402, 404, 409, 410, 422})
    void a_no_for_good_says_why(int no) {
        status = no;
        body = "{\"code\":\"TOO_OLD\"}";
        assertThat(given())
                .isEqualTo(Outcome.known(
                        new GiveBackAnswer.Declined("TOO_OLD", Map.of("http_status", Integer.toString(no)))));
        body = "nothing to read";
        assertThat(given())
                .isEqualTo(Outcome.known(
                        new GiveBackAnswer.Declined("HTTP_" + no, Map.of("http_status", Integer.toString(no)))));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 403, 405})
    void what_this_node_asks_wrongly_did_not_happen(int wrong) {
        status = wrong;
        assertThat(given()).isInstanceOf(Outcome.Unavailable.class);
        assertThat(closed()).isInstanceOf(Outcome.Unavailable.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 502, 503})
    void what_may_have_happened_is_unknown(int trouble) {
        status = trouble;
        assertThat(given()).isInstanceOf(Outcome.Unknown.class);
        assertThat(closed()).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void an_order_the_provider_does_not_know_is_not_taken_for_closed() {
        status = 404;
        assertThat(closed()).isInstanceOf(Outcome.Unavailable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"status\":\"OPEN\"}",
                "{\"status\":\"PAID\"}",
                "{\"status\":\"PAID\",\"payment_id\":\"p-1\"}",
                "{\"status\":\"CLOSED\",\"payment_id\":\"p-1\",\"provider_transaction\":\"t-1\",\"amount\":1,"
                        + "\"currency\":\"EUR\",\"paid_at\":\"2026-06-25T08:59:00Z\"}",
                "{\"reference\":\"a b\"}"
            })
    void an_answer_that_can_not_be_read_is_unknown(String answer) {
        body = answer;
        assertThat(closed()).isInstanceOf(Outcome.Unknown.class);
        assertThat(given()).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void an_answer_without_an_end_is_not_read() {
        body = "{\"reference\":\"back-1\",\"more\":\"" + "x".repeat(100_000) + "\"}";
        assertThat(given()).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void silence_is_unknown() {
        waits = true;
        provider.close();
        provider = provider(Duration.ofSeconds(1));
        assertThat(given()).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void a_provider_that_is_not_there_was_not_asked() {
        server.stop(0);
        assertThat(given()).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void only_so_many_are_asked_at_a_time() throws InterruptedException {
        waits = true;
        body = "{\"reference\":\"back-1\"}";
        CompletableFuture<Outcome<GiveBackAnswer>> first =
                provider.giveBack("a", PAYMENT, PAYMENT.amount()).toCompletableFuture();
        arrived.await();
        assertThat(given()).isInstanceOf(Outcome.Unavailable.class);
        mayAnswer.countDown();
        assertThat(first.join()).isEqualTo(Outcome.known(new GiveBackAnswer.GivenBack("back-1")));
        assertThat(given()).isEqualTo(Outcome.known(new GiveBackAnswer.GivenBack("back-1")));
    }
}
