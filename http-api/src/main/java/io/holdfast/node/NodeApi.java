package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A running node, as a command talks to it. */
final class NodeApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final int WAIT_SECONDS = 20;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(WAIT_SECONDS + 20);
    private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(1);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).build();
    private final URI address;
    private final Optional<String> token;

    NodeApi(URI address, Optional<String> token) {
        this.address = address;
        this.token = token;
    }

    /** What came of a rebuild. */
    sealed interface Rebuilt {
        /** It is done; how the pool stands now, for people. */
        record Done(String how) implements Rebuilt {}

        /** It is not done, or not known to be. */
        record Failed(String why) implements Rebuilt {}
    }

    /**
     * Has a pool rebuilt and waits until it is. Asked again under the same key until it is settled: a lost answer costs nothing.
     *
     * @param key names this wish
     * @param patience how long it may take altogether
     */
    Rebuilt rebuild(String pool, String key, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        String last = "no answer within " + patience.toSeconds() + " s";
        while (System.nanoTime() < end) {
            try {
                HttpResponse<String> response = client.send(request(pool, key), BodyHandlers.ofString());
                JsonNode body = JSON.readTree(response.body().isBlank() ? "{}" : response.body());
                switch (response.statusCode()) {
                    case 200 -> {
                        return new Rebuilt.Done(standing(body));
                    }
                    case 202 -> last = "it is " + body.path("status").asText("at work") + ", " + working(body);
                    case 503 -> last = problem(body);
                    default -> {
                        return new Rebuilt.Failed(problem(body));
                    }
                }
            } catch (IOException e) {
                last = "no answer from " + address + ": " + e;
            }
            Thread.sleep(ASK_AGAIN_AFTER);
        }
        return new Rebuilt.Failed(last);
    }

    /** What is at an address; anything but a good answer is a reason to give up. */
    JsonNode get(String path) throws InterruptedException {
        return answered(to(path).GET());
    }

    /** Asks for something. */
    JsonNode post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return answered(post(to(path), body));
    }

    /** Asks for something, once however often it is asked under this key. */
    JsonNode post(String path, Map<String, Object> body, String key) throws IOException, InterruptedException {
        return answered(post(to(path).header("Idempotency-Key", key), body));
    }

    private static HttpRequest.Builder post(HttpRequest.Builder request, Map<String, Object> body) throws IOException {
        return request.header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }

    private HttpRequest.Builder to(String path) {
        var request = HttpRequest.newBuilder(address.resolve(path)).timeout(ANSWER_WITHIN);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private JsonNode answered(HttpRequest.Builder request) throws InterruptedException {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            JsonNode body = JSON.readTree(response.body().isBlank() ? "{}" : response.body());
            if (response.statusCode() >= 300) {
                throw refused(address, response.statusCode(), body);
            }
            return body;
        } catch (IOException e) {
            throw noAnswer(address, e);
        }
    }

    /** Why a command gives up: for what was asked, or because of how things stand now. */
    static RuntimeException refused(URI address, int status, JsonNode body) {
        String said = address + " answered " + status + ": " + problem(body);
        return switch (status) {
            case 401 ->
                new UsageException(
                        said + " Name a file with the caller's token with --token-file, or set HOLDFAST_TOKEN.");
            case 400, 403, 404, 405, 406, 413, 414, 415, 422, 431 -> new UsageException(said);
            default -> new StartException(said);
        };
    }

    /** In one line, with what to do: the JDK often says nothing of why. */
    static StartException noAnswer(URI address, IOException why) {
        String said = why.getMessage() == null ? "" : " (" + why.getMessage() + ")";
        return new StartException(
                "No node answers at " + address + said
                        + ": start it, for development with ./holdfast dev, or say where one is; --help says how.",
                why);
    }

    private HttpRequest request(String pool, String key) {
        var request = HttpRequest.newBuilder(
                        address.resolve("/v1/pools/").resolve(pool.replace(":", "%3A") + "/rebuild"))
                .timeout(ANSWER_WITHIN)
                .header("Idempotency-Key", key)
                .header("Prefer", "wait=" + WAIT_SECONDS);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request.POST(HttpRequest.BodyPublishers.noBody()).build();
    }

    private static String standing(JsonNode body) {
        JsonNode books = body.at("/journal/books");
        return "is " + body.path("status").asText() + " at epoch "
                + books.path("epoch").asText() + ": "
                + books.path("available").asText() + " available, "
                + books.path("reserved").asText() + " reserved, "
                + books.path("sold").asText() + " sold";
    }

    private static String working(JsonNode body) {
        JsonNode working = body.path("working").path(0);
        return working.path("attempts").asText("no") + " attempts, the last one said: "
                + working.path("last_error").asText("nothing yet");
    }

    private static String problem(JsonNode body) {
        return body.path("code").asText("an answer of no known shape") + ", "
                + body.path("detail").asText("no more is said");
    }
}
