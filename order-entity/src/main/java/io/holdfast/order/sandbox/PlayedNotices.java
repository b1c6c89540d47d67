package io.holdfast.order.sandbox;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.json.JsonWriter;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.sandbox.PlayedPayments.Charge;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends signed notices, again and again until one is taken, as providers do. */
final class PlayedNotices implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Backoff AGAIN = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), 2, 0);

    private final byte[] secret;
    private final InstantSource clock;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final CompletableFuture<URI> webhook = new CompletableFuture<>();
    private volatile boolean closed;

    PlayedNotices(byte[] secret, InstantSource clock) {
        this.secret = secret;
        this.clock = clock;
    }

    void to(URI address) {
        webhook.complete(address);
    }

    /** Of this payment, now or as soon as somebody takes notices. */
    void send(Charge charge) {
        webhook.thenAccept(address -> attempt(address, charge, 1));
    }

    private void attempt(URI address, Charge charge, int number) {
        if (closed) {
            return;
        }
        byte[] body = JsonWriter.write(body(charge));
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header(PaymentNotices.HEADER, PaymentNotices.sign(secret, body, clock.instant()))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        http.sendAsync(request, BodyHandlers.discarding())
                .handle((response, failure) -> failure == null && response.statusCode() / 100 == 2)
                .thenAccept(taken -> {
                    if (!taken) {
                        CompletableFuture.delayedExecutor(
                                        AGAIN.delayAfter(number, 0).toMillis(), TimeUnit.MILLISECONDS)
                                .execute(() -> attempt(address, charge, number + 1));
                    }
                });
    }

    private static Map<String, Object> body(Charge charge) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "payment.succeeded");
        body.put("notice_id", "notice-" + charge.transaction());
        body.putAll(fields(charge));
        return body;
    }

    static Map<String, Object> fields(Charge charge) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("order_id", charge.orderId());
        fields.put("payment_id", charge.paymentId());
        fields.put("provider_transaction", charge.transaction());
        fields.put("amount", charge.amount().minor());
        fields.put("currency", charge.amount().currency());
        fields.put("paid_at", charge.paidAt().toString());
        return fields;
    }

    @Override
    public void close() {
        closed = true;
        http.shutdownNow();
    }
}
