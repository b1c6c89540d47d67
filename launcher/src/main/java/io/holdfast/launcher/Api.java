package io.holdfast.launcher;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Calls once and shows what came of it, whatever it is: a caller that does not ask again. */
public final class Api {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI base;
    private final Optional<String> token;

    /** Calls the node at this address. */
    public Api(URI base) {
        this(base, Optional.empty());
    }

    /** Calls the node at this address, with this token. */
    Api(URI base, Optional<String> token) {
        this.base = base;
        this.token = token;
    }

    /**
     * What came back.
     *
     * @param status HTTP status
     * @param body JSON; missing when there was none
     */
    public record Answer(int status, JsonNode body) {

        /** A field by JSON pointer, as text; empty when absent. */
        public String text(String pointer) {
            return body.at(pointer).asText("");
        }

        /** A field by JSON pointer, as a number; -1 when absent. */
        public long number(String pointer) {
            return body.at(pointer).asLong(-1);
        }
    }

    /** No answer came: whether the request was carried out is not known. */
    public static final class NoAnswer extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoAnswer(URI uri, Throwable cause) {
            super("no answer from " + uri + ": " + cause, cause);
        }
    }

    /** Reads. */
    public Answer get(String path) {
        return send(request(path).GET().build());
    }

    /** Creates or sets. */
    public Answer put(String path, Map<String, ?> body) {
        return send(request(path).PUT(json(body)).build());
    }

    /** Does. */
    public Answer post(String path, Map<String, ?> body) {
        return send(request(path).POST(json(body)).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).header("Content-Type", "application/json");
        token.ifPresent(own -> request.header("Authorization", "Bearer " + own));
        return request;
    }

    private static HttpRequest.BodyPublisher json(Map<String, ?> body) {
        try {
            return BodyPublishers.ofString(JSON.writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a map of texts and numbers is JSON", e);
        }
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            String body = response.body();
            return new Answer(response.statusCode(), body.isBlank() ? MissingNode.getInstance() : JSON.readTree(body));
        } catch (IOException e) {
            throw new NoAnswer(request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer(request.uri(), e);
        }
    }
}
