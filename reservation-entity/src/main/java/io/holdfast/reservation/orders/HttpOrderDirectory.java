package io.holdfast.reservation.orders;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.port.OrderDirectory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks with a POST: 2xx means that it will publish, 404 and 410 that it knows no such order, any other answer of the 3xx and 4xx that it will not,
 * except those that say "later" (408, 425, 429); these, 5xx and silence mean that it was not reached. Redirects are not followed. A crowd of
 * overdue holds does not become a crowd at the order domain's door: so many questions at a time, and whoever comes beyond asks later.
 */
public final class HttpOrderDirectory implements OrderDirectory, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpOrderDirectory.class);

    private final OrderUrl url;
    private final Optional<String> token;
    private final Duration timeout;
    private final Semaphore room;
    private final HttpClient http;

    /**
     * @param token sent as a bearer token, if there is one
     * @param timeout of one question, connecting included
     * @param together questions at a time
     */
    public HttpOrderDirectory(OrderUrl url, Optional<String> token, Duration timeout, int together) {
        this.url = url;
        this.token = token;
        this.timeout = timeout;
        this.room = new Semaphore(together);
        this.http = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public CompletionStage<Outcome<OrderAnswer>> publishAgain(AskOrder question) {
        if (!room.tryAcquire()) {
            return CompletableFuture.completedFuture(Outcome.known(OrderAnswer.UNREACHED));
        }
        CompletableFuture<OrderAnswer> answer;
        try {
            answer = http.sendAsync(request(question), BodyHandlers.discarding())
                    .thenApply(response -> answer(response.statusCode()));
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionally(failure -> {
                    LOG.debug("order {} could not be asked for", question.line().orderId(), failure);
                    return OrderAnswer.UNREACHED;
                })
                .whenComplete((_, _) -> room.release())
                .thenApply(Outcome::known);
    }

    private HttpRequest request(AskOrder question) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.of(question))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", question.operationId())
                .POST(HttpRequest.BodyPublishers.ofString(body(question)));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request.build();
    }

    /** By hand: ids have no character that JSON would have to escape. */
    private static String body(AskOrder question) {
        Line line = question.line();
        return "{\"order_id\":\"" + line.orderId() + "\",\"order_item_id\":\"" + line.orderItemId()
                + "\",\"reservation_id\":\"" + question.reservationId() + "\",\"merchant\":\"" + line.merchant()
                + "\",\"dish\":\"" + line.dish() + "\",\"asked\":" + question.number() + "}";
    }

    private static OrderAnswer answer(int status) {
        if (status >= 200 && status < 300) {
            return OrderAnswer.PUBLISHES;
        }
        return switch (status) {
            case 404, 410 -> OrderAnswer.UNKNOWN_ORDER;
            case 408, 425, 429 -> OrderAnswer.UNREACHED;
            default -> status >= 300 && status < 500 ? OrderAnswer.REFUSED : OrderAnswer.UNREACHED;
        };
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
