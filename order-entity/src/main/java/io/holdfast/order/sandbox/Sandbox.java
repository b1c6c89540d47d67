package io.holdfast.order.sandbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonLimits;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.JsonWriter;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.Money;
import io.holdfast.order.sandbox.PlayedPayments.Charge;
import io.holdfast.order.sandbox.PlayedPayments.Paid;
import io.holdfast.order.sandbox.PlayedPayments.Refunded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The sandbox as a server on this machine. It answers what {@code HttpPaymentProvider} asks, and besides takes payments:
 *
 * <ul>
 *   <li>{@code POST /orders/<order>/payments} with {@code payment_id}, {@code amount}, {@code currency}, and {@code outcome}, a
 *       {@link PlayedOutcome}, SUCCESS if it is missing;
 *   <li>{@code POST /orders/<order>/close} and {@code POST /payments/<transaction>/refunds};
 *   <li>{@code GET /statement?from=<time>&to=<time>}: every payment within that time.
 * </ul>
 */
public final class Sandbox implements AutoCloseable {

    private static final JsonReader JSON = new JsonReader(JsonLimits.DEFAULT);
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LARGEST_BODY = 16 * 1024;
    private static final int SECRET = 32;

    /** How long after its order was closed a late payment arrives: longer than it takes to cancel the order. */
    private static final Duration LATE_BY = Duration.ofSeconds(3);

    private final String name;
    private final InstantSource clock;
    private final byte[] secret = new byte[SECRET];
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final PlayedPayments payments = new PlayedPayments();
    private final PlayedNotices notices;

    private Sandbox(String name, HttpServer server, InstantSource clock) {
        this.name = name;
        this.server = server;
        this.clock = clock;
        new SecureRandom().nextBytes(secret);
        this.notices = new PlayedNotices(secret, clock);
    }

    /**
     * Starts one, reachable from this machine alone.
     *
     * @param name as payments name it
     * @param port 0 for any free one
     * @throws IOException if it can't listen there
     */
    public static Sandbox start(String name, int port, InstantSource clock) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Sandbox sandbox = new Sandbox(name, server, clock);
        server.setExecutor(sandbox.threads);
        server.createContext("/", sandbox::handle);
        server.start();
        return sandbox;
    }

    /** What paths are added to. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** What its notices are signed with. */
    public byte[] secret() {
        return secret.clone();
    }

    /** From now on notices go there; those of before, too. */
    public void noticesTo(URI webhook) {
        notices.to(webhook);
    }

    private record Answer(int status, Object body) {
        static Answer problem(int status, String code) {
            return new Answer(status, Map.of("code", code));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            byte[] body = JsonWriter.write(answer.body());
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        if (exchange.getRequestMethod().equals("GET") && path.length == 2 && path[1].equals("statement")) {
            return statement(exchange.getRequestURI().getQuery());
        }
        if (!exchange.getRequestMethod().equals("POST")
                || path.length != 4
                || !ID.matcher(path[2]).matches()) {
            return Answer.problem(404, "NO_SUCH_ROUTE");
        }
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
        Parsed<ObjectValue> object = body.length == 0 ? Parsed.valid(ObjectValue.EMPTY) : JSON.read(body);
        return switch (path[1] + " " + path[3]) {
            case "orders payments" -> answered(object.then(Sandbox::wish), wish -> pay(path[2], wish));
            case "orders close" -> close(path[2]);
            case "payments refunds" -> {
                Optional<String> key =
                        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                yield key.map(given ->
                                answered(object.then(Sandbox::money), amount -> giveBack(path[2], given, amount)))
                        .orElseGet(() -> Answer.problem(400, "NO_KEY"));
            }
            default -> Answer.problem(404, "NO_SUCH_ROUTE");
        };
    }

    private static <T> Answer answered(Parsed<T> parsed, java.util.function.Function<T, Answer> work) {
        return switch (parsed) {
            case Parsed.Valid<T>(T value) -> work.apply(value);
            case Parsed.Invalid<T>(List<InputError> errors) ->
                new Answer(
                        400,
                        Map.of(
                                "code",
                                "INVALID",
                                "errors",
                                errors.stream()
                                        .map(error -> error.pointer() + ": " + error.detail())
                                        .toList()));
        };
    }

    private record Wish(String paymentId, Money amount, PlayedOutcome outcome) {}

    private static Parsed<Wish> wish(ObjectValue body) {
        var fields = new Fields(body);
        var paymentId = fields.id("payment_id");
        var outcome = fields.optionalChoice("outcome", PlayedOutcome.class);
        return fields.intoIgnoringOthers(() -> paymentId.get())
                .then(id -> money(body)
                        .then(amount ->
                                Parsed.valid(new Wish(id, amount, outcome.get().orElse(PlayedOutcome.SUCCESS)))));
    }

    private static Parsed<Money> money(ObjectValue body) {
        var fields = new Fields(body);
        var amount = fields.integer("amount", 1, Fields.MAX_INTEGER);
        var currency = fields.optionalString(
                "currency",
                text -> text.matches("[A-Z]{3}") ? Optional.of(text) : Optional.<String>empty(),
                "three capitals");
        if (!fields.has("currency")) {
            fields.fault("currency", InputError.Code.MISSING, "This is required.");
        }
        return fields.intoIgnoringOthers(
                () -> new Money(amount.get(), currency.get().orElseThrow()));
    }

    private Answer pay(String orderId, Wish wish) {
        return switch (payments.pay(orderId, wish.paymentId(), wish.amount(), wish.outcome(), now())) {
            case Paid.Succeeded(List<Charge> charges) -> {
                charges.forEach(notices::send);
                yield new Answer(
                        201,
                        Map.of("payments", charges.stream().map(this::shown).toList()));
            }
            case Paid.Declined(String code) -> Answer.problem(402, code);
            case Paid.Unheard() -> Answer.problem(504, "NO_ANSWER");
        };
    }

    /** As exact as JSON of payments says it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Answer close(String orderId) {
        Answer answer = payments.close(orderId)
                .map(charge -> {
                    Map<String, Object> paid = shown(charge);
                    paid.put("status", "PAID");
                    return new Answer(200, paid);
                })
                .orElseGet(() -> new Answer(200, Map.of("status", "CLOSED")));
        CompletableFuture.delayedExecutor(LATE_BY.toMillis(), TimeUnit.MILLISECONDS, threads)
                .execute(() -> payments.arriveLate(orderId).forEach(notices::send));
        return answer;
    }

    private Answer giveBack(String transaction, String key, Money amount) {
        return switch (payments.giveBack(transaction, key, amount)) {
            case Refunded.Done(String reference) -> new Answer(200, Map.of("reference", reference));
            case Refunded.Refused(int status, String code) -> Answer.problem(status, code);
        };
    }

    private Answer statement(String query) {
        Map<String, String> given = new HashMap<>();
        for (String pair : Optional.ofNullable(query).orElse("").split("&", -1)) {
            String[] parts = pair.split("=", 2);
            given.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        try {
            Instant from = Instant.parse(given.getOrDefault("from", ""));
            Instant to = Instant.parse(given.getOrDefault("to", ""));
            return new Answer(
                    200,
                    Map.of(
                            "payments",
                            payments.statement(from, to).stream()
                                    .map(line -> {
                                        Map<String, Object> shown = shown(line.charge());
                                        shown.put("refunded_amount", line.refunded());
                                        return shown;
                                    })
                                    .toList()));
        } catch (DateTimeParseException e) {
            return Answer.problem(400, "INVALID");
        }
    }

    private Map<String, Object> shown(Charge charge) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("provider", name);
        shown.putAll(PlayedNotices.fields(charge));
        return shown;
    }

    @Override
    public void close() {
        notices.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
