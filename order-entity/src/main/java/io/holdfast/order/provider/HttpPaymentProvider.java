package io.holdfast.order.provider;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue;
import io.holdfast.json.JsonValue.ArrayValue;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.PaymentStatements;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Asks a provider with POST, each operation under its own {@code Idempotency-Key}, the same on every attempt:
 *
 * <ul>
 *   <li>{@code /orders/<order>/close} answers {@code {"status": "CLOSED"}}, or {@code {"status": "PAID", "payment_id": ...}} with the payment;
 *   <li>{@code /payments/<provider's transaction>/refunds} answers {@code {"reference": "..."}}.
 * </ul>
 *
 * <p>Its statement it is asked for with GET: {@code /statement?from=<time>&to=<time>} answers {@code {"payments": [...]}}, each with {@code
 * order_id} and {@code refunded_amount}.
 *
 * <p>402, 404, 409, 410 and 422 to a refund are a no for good, with a {@code code} in the body if there is one. What says that this node is
 * not allowed or asks wrongly (other 3xx and 4xx) is unavailable: it is tried on, and seen, until somebody mends it. Silence, "later", 5xx
 * and what can't be read are unknown. Redirects are not followed, and only so many questions are asked at a time.
 */
public final class HttpPaymentProvider implements PaymentProvider, PaymentStatements, AutoCloseable {

    private static final long LARGEST_ANSWER = 64 * 1024;
    private static final long LARGEST_STATEMENT = 16 * 1024 * 1024;
    private static final int MOST_PAYMENTS = 50_000;

    private final String name;
    private final URI base;
    private final Optional<String> token;
    private final Duration timeout;
    private final Semaphore room;
    private final HttpClient http;

    /**
     * @param name of the provider, as payments name it
     * @param base what the paths are added to; without a slash at its end
     * @param token sent as a bearer token, if there is one
     * @param timeout of one question, connecting included
     * @param together questions at a time, at least 1
     */
    public HttpPaymentProvider(String name, URI base, Optional<String> token, Duration timeout, int together) {
        this.name = name;
        this.base = base;
        this.token = token;
        this.timeout = timeout;
        this.room = new Semaphore(together);
        this.http = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public CompletionStage<Outcome<CloseAnswer>> close(String orderId) {
        return ask("/orders/" + orderId + "/close", "CLOSE:" + orderId, "{}", this::closed);
    }

    @Override
    public CompletionStage<Outcome<GiveBackAnswer>> giveBack(String operationId, Payment payment, Money amount) {
        // By hand: ids and currencies have no character that JSON would have to escape.
        String body = "{\"payment_id\":\"" + payment.paymentId() + "\",\"amount\":" + amount.minor()
                + ",\"currency\":\"" + amount.currency() + "\"}";
        return ask("/payments/" + payment.transaction() + "/refunds", operationId, body, HttpPaymentProvider::given);
    }

    @Override
    public CompletionStage<Outcome<List<Line>>> between(Instant from, Instant to) {
        HttpRequest.Builder request =
                asking("/statement?from=" + from + "&to=" + to).GET();
        return ask(request, LARGEST_STATEMENT, this::listed);
    }

    private Outcome<List<Line>> listed(HttpResponse<byte[]> response) {
        if (!isDone(response)) {
            return undone(response);
        }
        return switch (PaymentData.object(response.body()).then(this::lines)) {
            case Parsed.Valid<List<Line>>(List<Line> lines) -> Outcome.known(lines);
            case Parsed.Invalid<List<Line>> _ -> unreadable();
        };
    }

    private Parsed<List<Line>> lines(ObjectValue answer) {
        if (answer.fields().get("payments") instanceof ArrayValue(List<JsonValue> none) && none.isEmpty()) {
            return Parsed.valid(List.of());
        }
        Fields fields = new Fields(answer);
        var lines = fields.optionalObjects("payments", MOST_PAYMENTS, this::line);
        if (!fields.has("payments")) {
            fields.fault("payments", Code.MISSING, "A statement lists its payments.");
        }
        return fields.intoIgnoringOthers(() -> lines.get().orElseThrow());
    }

    private Parsed<Line> line(ObjectValue line) {
        Fields fields = new Fields(line);
        var order = fields.id("order_id");
        var returned = fields.optionalInteger("refunded_amount", 0, Fields.MAX_INTEGER);
        var payment = PaymentData.in(fields, name);
        return fields.intoIgnoringOthers(
                () -> new Line(order.get(), payment.get(), returned.get().orElse(0L)));
    }

    private <T> CompletionStage<Outcome<T>> ask(
            String path, String key, String body, Function<HttpResponse<byte[]>, Outcome<T>> reading) {
        HttpRequest.Builder request = asking(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body));
        return ask(request, LARGEST_ANSWER, reading);
    }

    private <T> CompletionStage<Outcome<T>> ask(
            HttpRequest.Builder request, long largest, Function<HttpResponse<byte[]>, Outcome<T>> reading) {
        if (!room.tryAcquire()) {
            return CompletableFuture.completedFuture(Outcome.unavailable("the provider is asked enough already"));
        }
        CompletableFuture<HttpResponse<byte[]>> answered;
        try {
            answered = http.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), largest));
        } catch (RuntimeException e) {
            answered = CompletableFuture.failedFuture(e);
        }
        return answered.handle((response, failure) -> {
            room.release();
            return failure == null ? reading.apply(response) : failed(failure);
        });
    }

    private HttpRequest.Builder asking(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(timeout);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private static <T> Outcome<T> failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
                ? Outcome.unavailable("the provider can't be reached: " + cause.getMessage())
                : Outcome.unknown("the provider did not answer: " + cause.getMessage());
    }

    private Outcome<CloseAnswer> closed(HttpResponse<byte[]> response) {
        if (!isDone(response)) {
            return undone(response);
        }
        return switch (PaymentData.object(response.body()).then(this::closing)) {
            case Parsed.Valid<CloseAnswer>(CloseAnswer answer) -> Outcome.known(answer);
            case Parsed.Invalid<CloseAnswer> _ -> unreadable();
        };
    }

    private enum Status {
        CLOSED,
        PAID
    }

    private Parsed<CloseAnswer> closing(ObjectValue answer) {
        Fields fields = new Fields(answer);
        var status = fields.optionalChoice("status", Status.class);
        if (!fields.has("payment_id")) {
            return fields.intoIgnoringOthers(() -> new CloseAnswer.Closed())
                    .then(closed -> status.get().equals(Optional.of(Status.CLOSED))
                            ? Parsed.valid(closed)
                            : Parsed.invalid(missingStatus()));
        }
        var payment = PaymentData.in(fields, name);
        return fields.<CloseAnswer>intoIgnoringOthers(() -> new CloseAnswer.IsPaid(payment.get()))
                .then(paid -> status.get().equals(Optional.of(Status.PAID))
                        ? Parsed.valid(paid)
                        : Parsed.invalid(missingStatus()));
    }

    private static InputError missingStatus() {
        return InputError.field("status", Code.MISSING, "It must say CLOSED, or PAID and the payment.");
    }

    private static Outcome<GiveBackAnswer> given(HttpResponse<byte[]> response) {
        if (isDone(response)) {
            return switch (PaymentData.object(response.body()).then(HttpPaymentProvider::reference)) {
                case Parsed.Valid<String>(String reference) -> Outcome.known(new GiveBackAnswer.GivenBack(reference));
                case Parsed.Invalid<String> _ -> unreadable();
            };
        }
        return switch (response.statusCode()) {
            case 402, 404, 409, 410, 422 -> {
                String status = Integer.toString(response.statusCode());
                String code = PaymentData.object(response.body()).then(HttpPaymentProvider::code)
                                instanceof Parsed.Valid<String>(String said)
                        ? said
                        : "HTTP_" + status;
                yield Outcome.known(new GiveBackAnswer.Declined(code, Map.of("http_status", status)));
            }
            default -> undone(response);
        };
    }

    private static Parsed<String> reference(ObjectValue answer) {
        Fields fields = new Fields(answer);
        var reference = fields.id("reference");
        return fields.intoIgnoringOthers(reference);
    }

    private static Parsed<String> code(ObjectValue answer) {
        Fields fields = new Fields(answer);
        var code = fields.id("code");
        return fields.intoIgnoringOthers(code);
    }

    private static boolean isDone(HttpResponse<byte[]> response) {
        return response.statusCode() >= 200 && response.statusCode() < 300;
    }

    private static <T> Outcome<T> undone(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        boolean asksWrongly = status >= 300 && status < 500 && status != 408 && status != 425 && status != 429;
        return asksWrongly
                ? Outcome.unavailable("the provider answered " + status)
                : Outcome.unknown("the provider answered " + status);
    }

    private static <T> Outcome<T> unreadable() {
        return Outcome.unknown("the provider's answer can't be read");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
