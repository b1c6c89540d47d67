package io.holdfast.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.openapi.OpenApi.Operation;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A request as the document shows it.
 *
 * @param target path and query
 * @param headers names and values, one after the other
 * @param mediaType of the body; empty where there is none
 * @param status what it is answered with: {@code x-example-answer}, else the first that is documented
 */
public record Example(
        Operation operation, String target, List<String> headers, String mediaType, String body, int status) {

    private static final OpenApi API = OpenApi.get();

    /**
     * One for each media type that the operation takes.
     *
     * @param instead values of path parameters and of the body's fields that take the place of the document's, by name
     * @throws AssertionError where the document shows no value of something that must be there
     */
    public static List<Example> of(Operation operation, Map<String, String> instead) {
        String target = operation.template();
        List<String> headers = new ArrayList<>();
        for (JsonNode listed : operation.node().path("parameters")) {
            JsonNode parameter = API.resolved(listed);
            String name = parameter.get("name").asText();
            String value = instead.getOrDefault(name, parameter.path("example").asText());
            switch (parameter.get("in").asText()) {
                case "path" -> target = target.replace("{" + name + "}", shown(operation, name, value));
                case "header" -> {
                    if (name.equals("Idempotency-Key")) {
                        headers.addAll(List.of(
                                name,
                                "example-" + operation.node().get("operationId").asText()));
                    }
                }
                default -> {
                    if (parameter.path("required").asBoolean()) {
                        target += (target.contains("?") ? "&" : "?") + name + "=" + shown(operation, name, value);
                    }
                }
            }
        }
        JsonNode content = operation.node().at("/requestBody/content");
        if (content.isMissingNode()) {
            return List.of(new Example(operation, target, headers, "", "", documented(operation)));
        }
        List<Example> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> one : content.properties()) {
            String body = body(operation, one.getValue().path("example"), instead);
            all.add(new Example(operation, target, headers, one.getKey(), body, documented(operation)));
        }
        return all;
    }

    private static String shown(Operation operation, String name, String value) {
        if (value.isEmpty()) {
            throw new AssertionError(operation + " shows no " + name);
        }
        return value;
    }

    private static String body(Operation operation, JsonNode shown, Map<String, String> instead) {
        if (shown.isMissingNode()) {
            if (operation.node().at("/requestBody/required").asBoolean()) {
                throw new AssertionError(operation + " shows no body");
            }
            return "";
        }
        if (shown instanceof ObjectNode object) {
            ObjectNode adapted = object.deepCopy();
            instead.forEach((name, value) -> {
                if (adapted.has(name)) {
                    adapted.put(name, value);
                }
            });
            return adapted.toString();
        }
        return shown.asText();
    }

    private static int documented(Operation operation) {
        return operation.node().has("x-example-answer")
                ? operation.node().get("x-example-answer").asInt()
                : Integer.parseInt(
                        operation.node().get("responses").fieldNames().next());
    }

    /** Its {@code operationId}. */
    public String name() {
        return operation.node().get("operationId").asText();
    }

    /** The request itself, with these headers as well. */
    public HttpRequest to(URI node, String... more) {
        var request = HttpRequest.newBuilder(node.resolve(target)).timeout(Duration.ofSeconds(60));
        if (!mediaType.isEmpty()) {
            request.header("Content-Type", mediaType);
        }
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        if (more.length > 0) {
            request.headers(more);
        }
        return request.method(
                        operation.method(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }
}
