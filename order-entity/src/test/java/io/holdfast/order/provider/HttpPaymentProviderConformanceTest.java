package io.holdfast.order.provider;

import io.holdfast.order.conformance.PaymentProviderConformance;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Over HTTP, and with the sandbox at the other end. */
class HttpPaymentProviderConformanceTest extends PaymentProviderConformance {

    private final HttpClient buyer = HttpClient.newHttpClient();
    private Sandbox sandbox;
    private HttpPaymentProvider provider;

    @BeforeEach
    void start() throws IOException {
        sandbox = Sandbox.start("sandbox", 0, InstantSource.system());
        provider = new HttpPaymentProvider("sandbox", sandbox.address(), Optional.empty(), Duration.ofSeconds(20), 4);
    }

    @AfterEach
    void stop() {
        provider.close();
        sandbox.close();
        buyer.close();
    }

    @Override
    protected PaymentProvider provider() {
        return provider;
    }

    @Override
    protected boolean pay(String orderId, Payment payment) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sandbox.address() + "/orders/" + orderId + "/payments"))
                .POST(BodyPublishers.ofString("{\"payment_id\":\"" + payment.paymentId() + "\",\"amount\":"
                        + payment.amount().minor() + ",\"currency\":\""
                        + payment.amount().currency() + "\"}"))
                .build();
        try {
            int status = buyer.send(request, BodyHandlers.discarding()).statusCode();
            if (status != 201 && status != 402) {
                throw new AssertionError("the sandbox answered " + status);
            }
            return status == 201;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
