package io.holdfast.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.openapi.Seen;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A backend that buys stock: calls one node over HTTP, and knows nothing else. */
final class Client {

    static final String MERCHANT = "m1";
    static final String DAY = "2030-05-17";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** One for all: each has threads of its own, and tests look often. */
    static final HttpClient HTTP = http();

    private final URI base;
    private final Optional<String> token;

    Client(URI base) {
        this(base, Optional.empty());
    }

    private Client(URI base, Optional<String> token) {
        this.base = base;
        this.token = token;
    }

    /** What came back; status 0 when nothing did. */
    record Answer(int status, JsonNode body, Optional<String> replayed, Optional<String> location) {
        String text(String pointer) {
            return body.at(pointer).asText("");
        }

        long number(String pointer) {
            return body.at(pointer).asLong(-1);
        }

        String code() {
            return text("/code");
        }
    }

    /** The same node, called with this token. */
    Client as(String bearer) {
        return new Client(base, Optional.of(bearer));
    }

    /** Whom it calls. */
    URI base() {
        return base;
    }

    static String pool(String dish) {
        return MERCHANT + ":" + dish + ":" + DAY;
    }

    static String idOf(String dish, String item) {
        return ReservationIds.journalFirst(MERCHANT, dish, item);
    }

    /** Waits for it longer than a caller does who says nothing: a node that is young on a busy machine takes its time. */
    Answer createPool(String dish, long total) {
        return putAsync("/v1/pools/" + pool(dish), Map.of("total", total), Map.of("Prefer", "wait=30"))
                .join();
    }

    Answer lookAtPool(String dish) {
        return get("/v1/pools/" + pool(dish));
    }

    Answer hold(String dish, String item, long quantity) {
        return post("/v1/reservations", holdBody(dish, item, quantity), Map.of());
    }

    CompletableFuture<Answer> holdAsync(String dish, String item, long quantity, String prefer) {
        return postAsync("/v1/reservations", holdBody(dish, item, quantity), Map.of("Prefer", prefer));
    }

    static Map<String, Object> holdBody(String dish, String item, long quantity) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("pool", pool(dish));
        body.put("order_id", "order-" + item);
        body.put("order_item_id", item);
        body.put("quantity", quantity);
        return body;
    }

    Answer confirm(String dish, String item) {
        return post(reservation(dish, item) + "/confirm", Map.of("order_id", "order-" + item), Map.of());
    }

    Answer confirm(String dish, String item, long quantity) {
        return post(
                reservation(dish, item) + "/confirm",
                Map.of("order_id", "order-" + item, "quantity", quantity),
                Map.of());
    }

    Answer cancel(String dish, String item) {
        return post(reservation(dish, item) + "/cancel", Map.of("order_id", "order-" + item), Map.of());
    }

    Answer refund(String dish, String item, String refund, long quantity) {
        return post(reservation(dish, item) + "/refunds", Map.of("refund_id", refund, "quantity", quantity), Map.of());
    }

    Answer adjust(String dish, long total, String key) {
        return post("/v1/pools/" + pool(dish) + "/adjustments", Map.of("total", total), Map.of("Idempotency-Key", key));
    }

    Answer look(String dish, String item) {
        return get(reservation(dish, item));
    }

    static String reservation(String dish, String item) {
        return "/v1/reservations/" + idOf(dish, item);
    }

    Answer get(String path) {
        return send(request(path).GET().build(), Map.of());
    }

    CompletableFuture<Answer> getAsync(String path) {
        return sendAsync(request(path).GET().build(), Map.of());
    }

    Answer put(String path, Map<String, ?> body) {
        return send(request(path).PUT(json(body)).build(), body);
    }

    Answer post(String path, Map<String, ?> body, Map<String, String> headers) {
        return send(posting(path, headers, body), body);
    }

    CompletableFuture<Answer> postAsync(String path, Map<String, ?> body, Map<String, String> headers) {
        return sendAsync(posting(path, headers, body), body);
    }

    CompletableFuture<Answer> putAsync(String path, Map<String, ?> body, Map<String, String> headers) {
        HttpRequest.Builder request = request(path).PUT(json(body));
        headers.forEach(request::header);
        return sendAsync(request.build(), body);
    }

    /** Sends this body as it is, over a connection of its own: a node cuts one on which it refuses the rest of a body. */
    CompletableFuture<Answer> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder builder = request(path).method(method, BodyPublishers.ofString(body));
        HttpRequest request = (headers.length == 0 ? builder : builder.headers(headers)).build();
        return http().sendAsync(request, BodyHandlers.ofString())
                .handle((response, failed) -> response == null ? none() : read(request, body, response));
    }

    private static HttpClient http() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private CompletableFuture<Answer> sendAsync(HttpRequest request, Map<String, ?> body) {
        return HTTP.sendAsync(request, BodyHandlers.ofString())
                .handle((response, failed) -> response == null ? none() : read(request, text(body), response));
    }

    private HttpRequest posting(String path, Map<String, String> headers, Map<String, ?> body) {
        HttpRequest.Builder request = request(path).POST(json(body));
        headers.forEach(request::header);
        return request.build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json");
        token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
        return request;
    }

    private static HttpRequest.BodyPublisher json(Map<String, ?> body) {
        return BodyPublishers.ofString(text(body));
    }

    private static String text(Map<String, ?> body) {
        try {
            return JSON.writeValueAsString(body);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Answer send(HttpRequest request, Map<String, ?> body) {
        try {
            return read(request, text(body), HTTP.send(request, BodyHandlers.ofString()));
        } catch (IOException noAnswer) {
            return none();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static Answer none() {
        return new Answer(0, MissingNode.getInstance(), Optional.empty(), Optional.empty());
    }

    /** Every answer of every test is held against the OpenAPI document. */
    private static Answer read(HttpRequest request, String sent, HttpResponse<String> response) {
        OpenApi.get().check(Seen.of(request, sent, response, response.body().getBytes(StandardCharsets.UTF_8)));
        try {
            JsonNode body = response.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(response.body());
            return new Answer(
                    response.statusCode(),
                    body,
                    response.headers().firstValue("Idempotency-Replayed"),
                    response.headers().firstValue("Location"));
        } catch (IOException notJson) {
            throw new IllegalStateException("not JSON: " + response.body(), notJson);
        }
    }
}
