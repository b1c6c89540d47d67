package io.holdfast.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.openapi.OpenApi.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Drives every operation of the document with requests made from its schemas: most as documented, some bent. Whatever comes back must be
 * documented, and no fault of the server. The same seed sends the same requests as long as the answers are the same.
 */
public final class Fuzzer {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final OpenApi API = OpenApi.get();
    /** One in so many requests is bent. */
    private static final int BENT = 4;
    /** One in so many is sent a second time, unchanged. */
    private static final int TWICE = 6;

    /** Where streams begin. */
    private static final List<String> PLACES = List.of("0-0", "1-1", "700-1-1");

    private static final List<String> ODD_TEXTS = List.of(
            "",
            " ",
            "a b",
            "a:b:c:d",
            "..",
            "*",
            "a/b",
            "a|b",
            "{a}",
            "é",
            "e\u0301",
            "ı",
            "订单",
            "\u0000",
            "\n",
            "'; drop table event_journal; --",
            "ab‑1",
            "null",
            "NaN",
            "-1",
            "x".repeat(65),
            "x".repeat(1025));
    private static final List<String> ODD_NUMBERS = List.of(
            "0",
            "-0",
            "-1",
            "1.5",
            "2.0",
            "-2.0",
            "1e0",
            "1e400",
            "1e1000000000",
            "9007199254740991",
            "9007199254740992",
            "9223372036854775808",
            "1".repeat(40));

    private final URI node;
    private final long seed;
    private final Random random;
    private final HttpClient http;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, List<String>> known = new HashMap<>();
    private List<String> preferences = List.of("wait=0", "wait=0", "respond-async", "wait=1");
    private UnaryOperator<String> signer = _ -> "t=1,v1=00";
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private final Map<String, Integer> codes = new TreeMap<>();
    private final Map<String, Integer> accepted = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();

    /** One against this node. */
    public Fuzzer(URI node, long seed) {
        this.node = node;
        this.seed = seed;
        this.random = new Random(seed);
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        API.operations().forEach(operation -> weighted(operation, 1));
    }

    /** Sends an operation more often than the others, or not at all with 0. */
    public Fuzzer weighing(String operationId, int weight) {
        operations.removeIf(operation -> idOf(operation).equals(operationId));
        API.operations().stream()
                .filter(operation -> idOf(operation).equals(operationId))
                .forEach(operation -> weighted(operation, weight));
        return this;
    }

    private void weighted(Operation operation, int weight) {
        for (int i = 0; i < weight; i++) {
            operations.add(operation);
        }
    }

    /**
     * Values that mean something.
     *
     * @param name of a field or parameter, or of a schema
     */
    public Fuzzer knowing(String name, String... values) {
        known.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(List.of(values));
        return this;
    }

    /** What is asked of the time to answer, one of these each time; empty for nothing. What waits for something waits that long. */
    public Fuzzer preferring(String... choices) {
        preferences = List.of(choices);
        return this;
    }

    /**
     * Signs bodies, as those do who have no token.
     *
     * @param signature of a body: the value of {@code Payment-Signature}
     */
    public Fuzzer signing(UnaryOperator<String> signature) {
        signer = signature;
        return this;
    }

    /** What was answered: by status, by code, and which operations were accepted and refused how often. */
    public record Report(
            Map<Integer, Integer> statuses,
            Map<String, Integer> codes,
            Map<String, Integer> accepted,
            Map<String, Integer> refused) {}

    /**
     * Sends so many requests, one after the other.
     *
     * @throws AssertionError at the first answer that must not be, with the seed and the request
     */
    public Report run(int requests) throws IOException, InterruptedException {
        List<Operation> each = operations.stream().distinct().toList();
        for (int i = 0; i < requests; i++) {
            // Each once, whatever the dice say.
            Operation operation = i < each.size() ? each.get(i) : operations.get(random.nextInt(operations.size()));
            Asked asked = asked(operation);
            sent(operation, asked, i);
            if (random.nextInt(TWICE) == 0) {
                sent(operation, asked, i);
            }
        }
        return new Report(statuses, codes, accepted, refused);
    }

    private record Asked(String method, String target, List<String> headers, String body, boolean hasBody) {}

    private void sent(Operation operation, Asked asked, int number) throws IOException, InterruptedException {
        var builder = HttpRequest.newBuilder(node.resolve(asked.target())).timeout(Duration.ofSeconds(60));
        if (!asked.headers().isEmpty()) {
            builder.headers(asked.headers().toArray(String[]::new));
        }
        HttpRequest request = builder.method(
                        asked.method(),
                        asked.hasBody() ? BodyPublishers.ofString(asked.body()) : BodyPublishers.noBody())
                .build();
        Seen seen = OpenApi.isStream(operation)
                ? begun(request)
                : answered(request, asked.body(), http.send(request, BodyHandlers.ofByteArray()));
        List<String> faults = new ArrayList<>(API.faults(seen));
        if (seen.status() >= 500 && seen.status() != 503) {
            faults.add("a fault of the server");
        }
        if (!faults.isEmpty()) {
            throw new AssertionError("seed " + seed + ", request " + number + ": " + faults + "\n" + seen);
        }
        statuses.merge(seen.status(), 1, Integer::sum);
        (seen.status() < 300 ? accepted : refused).merge(idOf(operation), 1, Integer::sum);
        learn(seen);
    }

    private static Seen answered(HttpRequest request, String body, HttpResponse<byte[]> response) {
        return Seen.of(request, body, response, response.body());
    }

    /** The first block of a stream, or what there is instead of one; then the caller is gone. */
    private Seen begun(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            var read = new ByteArrayOutputStream();
            boolean streams = response.statusCode() == 200;
            for (int next = body.read(); next >= 0; next = body.read()) {
                read.write(next);
                if (streams && read.toString(StandardCharsets.UTF_8).endsWith("\n\n")) {
                    break;
                }
            }
            return Seen.of(request, "", response, read.toByteArray());
        }
    }

    /** Ids that answers name are asked about later. */
    private void learn(Seen seen) throws IOException {
        if (!seen.received().firstValue("Content-Type").orElse("").contains("json")) {
            return;
        }
        JsonNode answer = MAPPER.readTree(seen.answer());
        if (answer.path("code").isTextual() && seen.status() >= 400) {
            codes.merge(answer.get("code").asText(), 1, Integer::sum);
        }
        boolean ofWebhook = seen.target().startsWith("/v1/webhooks") && answer.has("url");
        for (String member : List.of("reservation_id", "run", "compensation", "webhook")) {
            String value = answer.path(member.equals("webhook") && ofWebhook ? "id" : member)
                    .asText();
            if (!value.isEmpty()) {
                List<String> values = known.computeIfAbsent(member, _ -> new ArrayList<>());
                if (!values.contains(value)) {
                    values.add(value);
                }
            }
        }
    }

    // ---- requests

    private Asked asked(Operation operation) {
        boolean bent = random.nextInt(BENT) == 0;
        String path = operation.template();
        List<String> query = new ArrayList<>();
        List<String> headers = new ArrayList<>();
        for (JsonNode listed : operation.node().path("parameters")) {
            JsonNode parameter = API.resolved(listed);
            String name = parameter.get("name").asText();
            boolean bend = bent && random.nextInt(6) == 0;
            switch (parameter.get("in").asText()) {
                case "path" -> path = path.replace("{" + name + "}", escaped(text(operation, parameter, bend)));
                case "query" -> {
                    if (random.nextInt(3) == 0) {
                        query.add(name + "=" + escaped(text(operation, parameter, bend)));
                    }
                }
                case "header" -> header(name, parameter.path("required").asBoolean(), bend, headers);
                default -> throw new IllegalStateException("a parameter in " + parameter.get("in"));
            }
        }
        if (bent && random.nextInt(12) == 0) {
            query.add(pick(List.of("unknown=1", "limit=1&limit=2", "=", "limit=%2B1", "cursor=zzz")));
        }
        if (bent && random.nextInt(12) == 0) {
            headers.addAll(pick(List.of(
                    List.of("Accept", "text/html"),
                    List.of("traceparent", "00-zz"),
                    List.of("Authorization", "Bearer nobody"))));
        }
        String target = query.isEmpty() ? path : path + "?" + String.join("&", query);
        JsonNode content = operation.node().at("/requestBody/content");
        if (content.has("application/jsonl")) {
            return withLines(operation, target, headers, bent);
        }
        Asked asked = API.bodySchema(operation)
                .map(schema -> withBody(operation, target, headers, schema, bent))
                .orElseGet(() -> new Asked(operation.method(), target, headers, "", false));
        if (asked.hasBody()
                && !operation.node().path("security").path(0).path("signature").isMissingNode()) {
            headers.addAll(List.of("Payment-Signature", bent ? "t=1,v1=00" : signer.apply(asked.body())));
        }
        return asked;
    }

    /** A pool a line, each as it should be or bent. */
    private Asked withLines(Operation operation, String target, List<String> headers, boolean bent) {
        boolean csv = random.nextBoolean();
        headers.addAll(List.of(
                "Content-Type",
                bent && random.nextInt(8) == 0 ? "application/json" : csv ? "text/csv" : "application/jsonl"));
        List<String> lines = new ArrayList<>();
        if (csv) {
            lines.add(bent ? pick(List.of("pool,total", "total,pool", "pool", "pool,total,x", "")) : "pool,total");
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            String pool = value(JSON.objectNode().put("$ref", "#/components/schemas/PoolId"), "PoolId", 0)
                    .asText();
            String total = Integer.toString(random.nextInt(20));
            if (csv) {
                lines.add((bent ? pick(ODD_TEXTS) : pool) + "," + (bent ? pick(ODD_NUMBERS) : total));
            } else {
                ObjectNode line = JSON.objectNode().put("pool", pool).put("total", Integer.parseInt(total));
                lines.add(bent ? bent(line) : line.toString());
            }
        }
        return new Asked(operation.method(), target, headers, String.join(bent ? "\r\n" : "\n", lines), true);
    }

    private Asked withBody(Operation operation, String target, List<String> headers, JsonNode schema, boolean bent) {
        boolean leftOut = !operation.node().at("/requestBody/required").asBoolean() && random.nextBoolean();
        if (leftOut) {
            return new Asked(operation.method(), target, headers, "", false);
        }
        headers.addAll(List.of("Content-Type", bent && random.nextInt(20) == 0 ? "text/plain" : "application/json"));
        JsonNode body = value(schema, "", 0);
        String text = bent ? bent(body) : body.toString();
        return new Asked(operation.method(), target, headers, text, true);
    }

    private void header(String name, boolean required, boolean bend, List<String> headers) {
        switch (name) {
            case "Idempotency-Key" -> {
                if (required ? !bend : random.nextInt(3) == 0) {
                    headers.addAll(List.of(name, bend ? "k".repeat(201) : "k-" + random.nextInt(40)));
                }
            }
            case "Prefer" -> {
                String chosen = pick(preferences);
                if (!chosen.isEmpty()) {
                    headers.addAll(List.of(name, chosen));
                }
            }
            case "If-Match" -> {
                if (random.nextInt(3) == 0) {
                    headers.addAll(List.of(name, bend ? "abc" : pick(List.of("\"1\"", "\"2\"", "*", "\"x\""))));
                }
            }
            case "Last-Event-ID" -> {
                if (random.nextInt(2) == 0) {
                    headers.addAll(List.of(name, bend ? "yesterday" : pick(PLACES)));
                }
            }
            default -> {} // a signature is made when the body is
        }
    }

    private String text(Operation operation, JsonNode parameter, boolean bend) {
        if (bend) {
            return pick(ODD_TEXTS);
        }
        String name = parameter.get("name").asText();
        if (parameter.get("in").asText().equals("path")) {
            String resource = operation.template().split("/")[2];
            List<String> of = known.getOrDefault(
                    switch (resource) {
                        case "reservations" -> "reservation_id";
                        case "orders" -> "order_id";
                        case "reconciliations" -> "run";
                        case "compensations" -> "compensation";
                        case "webhooks" -> name.equals("id") ? "webhook" : name;
                        default -> name;
                    },
                    List.of());
            if (!of.isEmpty() && random.nextInt(8) != 0) {
                return pick(of);
            }
        }
        return value(parameter.get("schema"), name, 0).asText();
    }

    // ---- values

    private JsonNode value(JsonNode listed, String name, int depth) {
        List<String> values = known.getOrDefault(name, List.of());
        if (!values.isEmpty() && random.nextInt(10) != 0) {
            return JSON.textNode(pick(values));
        }
        if (listed.has("$ref")) {
            String schema = listed.get("$ref").asText().replaceAll(".*/", "");
            List<String> of = known.getOrDefault(schema, List.of());
            if (!of.isEmpty() && random.nextInt(10) != 0) {
                return JSON.textNode(pick(of));
            }
            return switch (schema) {
                case "Id" -> JSON.textNode("id-" + random.nextInt(30));
                case "ReservationId" -> JSON.textNode("%032x".formatted(random.nextInt(5)));
                case "PoolId" -> JSON.textNode("m" + random.nextInt(3) + ":d" + random.nextInt(3));
                case "CompensationKey" -> JSON.textNode("RELEASE:%032x".formatted(random.nextInt(5)));
                default -> value(API.resolved(listed), name, depth);
            };
        }
        if (listed.has("const")) {
            return listed.get("const");
        }
        if (listed.has("example") && random.nextInt(10) != 0) {
            return listed.get("example");
        }
        if (listed.has("enum")) {
            return listed.get("enum").get(random.nextInt(listed.get("enum").size()));
        }
        return switch (listed.path("type").asText()) {
            case "integer" -> integer(listed);
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "array" -> array(listed, name, depth);
            case "object" -> object(listed, depth);
            default ->
                listed.path("pattern").asText().startsWith("^[0-9]+-[0-9]+")
                        ? JSON.textNode(pick(PLACES))
                        : listed.path("format").asText().equals("date-time")
                                ? JSON.textNode("20%02d-%02d-%02dT%02d:00:00%s"
                                        .formatted(
                                                26 + random.nextInt(3),
                                                1 + random.nextInt(12),
                                                1 + random.nextInt(28),
                                                random.nextInt(24),
                                                pick(List.of("Z", "+08:00"))))
                                : JSON.textNode("text " + random.nextInt(10));
        };
    }

    private JsonNode integer(JsonNode schema) {
        long least = schema.path("minimum").asLong(0);
        long most = schema.path("maximum").asLong(100);
        return JSON.numberNode(
                random.nextInt(20) == 0
                        ? (random.nextBoolean() ? least : most)
                        : Math.min(most, least + random.nextInt(5)));
    }

    private ArrayNode array(JsonNode schema, String name, int depth) {
        ArrayNode all = JSON.arrayNode();
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            all.add(value(schema.get("items"), name, depth + 1));
        }
        return all;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode all = JSON.objectNode();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (String either : List.of("oneOf", "anyOf")) {
            if (schema.has(either)) {
                schema.get(either)
                        .get(random.nextInt(schema.get(either).size()))
                        .path("required")
                        .forEach(name -> required.add(name.asText()));
            }
        }
        boolean exclusive = schema.has("oneOf");
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            boolean aChoice = exclusive && mentioned(schema.get("oneOf"), name);
            if (required.contains(name) || (!aChoice && random.nextInt(3) == 0)) {
                all.set(name, value(property.getValue(), name, depth + 1));
            }
        });
        JsonNode names = schema.path("propertyNames");
        if (schema.path("additionalProperties").isObject() && names.has("enum")) {
            all.set(
                    names.get("enum")
                            .get(random.nextInt(names.get("enum").size()))
                            .asText(),
                    value(schema.get("additionalProperties"), "", depth + 1));
        } else if (schema.path("additionalProperties").isObject()) {
            all.set(
                    "2026-12-%02d".formatted(1 + random.nextInt(31)),
                    value(schema.get("additionalProperties"), "", depth + 1));
        }
        return all;
    }

    private static boolean mentioned(JsonNode choices, String name) {
        for (JsonNode choice : choices) {
            for (JsonNode required : choice.path("required")) {
                if (required.asText().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    // ---- bending

    private String bent(JsonNode body) {
        if (body instanceof ObjectNode object) {
            List<String> names =
                    object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toList());
            String victim = names.isEmpty() ? "x" : pick(names);
            switch (random.nextInt(9)) {
                case 0 -> object.remove(victim);
                case 1 -> object.put("unknown_field", 1);
                case 2 -> object.putNull(victim);
                case 3 -> object.put(victim, pick(ODD_TEXTS));
                case 4 -> {
                    return object.put(victim, "@").toString().replace("\"@\"", pick(ODD_NUMBERS));
                }
                case 5 -> object.putArray(victim).add(1);
                case 6 -> object.putObject(victim).put("a", 1);
                case 7 -> {
                    String text = object.toString();
                    return text.substring(0, text.length() - 1) + (names.isEmpty() ? "" : ",") + "\"" + victim
                            + "\":1}";
                }
                default -> {
                    return pick(List.of(
                            "",
                            "{",
                            "[]",
                            "null",
                            "{}{}",
                            "{\"a\":".repeat(40),
                            "[".repeat(5000),
                            "\ufeff{}",
                            "{\"x\":\"" + "y".repeat(20000) + "\"}",
                            object + " trailing"));
                }
            }
        }
        return body.toString();
    }

    private static String idOf(Operation operation) {
        return operation.node().path("operationId").asText();
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%3A", ":");
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
