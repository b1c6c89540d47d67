package io.holdfast.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * {@code docs/openapi.yaml}, to hold requests and answers against. Stricter than a client has to be: an answer with a field, a header or a
 * code that the document does not name is a fault of the document.
 */
public final class OpenApi {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    /** Headers that mean something here; others belong to HTTP itself. */
    private static final List<String> HEADERS = List.of(
            "Location",
            "Retry-After",
            "Idempotency-Replayed",
            "Preference-Applied",
            "ETag",
            "Trace-Id",
            "WWW-Authenticate");
    /** What any address may answer, by status, before anything of it is looked at. */
    private static final Map<String, Integer> ANYWHERE = Map.of(
            "NO_SUCH_ROUTE",
            404,
            "METHOD_NOT_ALLOWED",
            405,
            "URI_TOO_LONG",
            414,
            "HEADERS_TOO_LARGE",
            431,
            "MALFORMED_HTTP",
            400);
    /** What is nobody's business outside: names of classes, traces of stacks, addresses and words of the stores. */
    private static final Pattern INTERNAL =
            Pattern.compile("io\\.holdfast|org\\.apache|org\\.postgresql|io\\.lettuce|java\\.|\\.java\\b|Exception\\b"
                    + "|\\bat [a-z]+\\.[a-z]|SQLSTATE|jdbc:|redis://|\\bActor\\[|pekko://");

    private static final OpenApi LOADED = load();

    private final ObjectNode document;
    private final ObjectNode strictComponents;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();

    /**
     * One operation.
     *
     * @param method in capitals
     * @param template the path with names for its variable parts
     * @param node what the document says of it
     */
    public record Operation(String method, String template, JsonNode node) {
        /** Method and template, as people write them. */
        @Override
        public String toString() {
            return method + " " + template;
        }
    }

    private OpenApi(ObjectNode document) {
        this.document = document;
        this.strictComponents = (ObjectNode) document.get("components").deepCopy();
        strictComponents.get("schemas").forEach(OpenApi::close);
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(member -> METHODS.contains(member.getKey()))
                        .forEach(member -> operations.add(new Operation(
                                member.getKey().toUpperCase(Locale.ROOT), path.getKey(), member.getValue()))));
    }

    /** The document of this repository. */
    public static OpenApi get() {
        return LOADED;
    }

    private static OpenApi load() {
        Path folder = Path.of("").toAbsolutePath();
        while (Files.notExists(folder.resolve("docs/openapi.yaml"))) {
            folder = folder.getParent();
        }
        try {
            return new OpenApi((ObjectNode) new ObjectMapper(new YAMLFactory())
                    .readTree(folder.resolve("docs/openapi.yaml").toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole of it. */
    public JsonNode document() {
        return document;
    }

    /** Every operation, in the order of the document. */
    public List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** A node, or what its {@code $ref} leads to. */
    public JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    /** Whether it answers with a stream that has no end of its own. */
    public static boolean isStream(Operation operation) {
        return operation.node().at("/responses/200/content").has("text/event-stream");
    }

    /** The schema of the JSON body that an operation takes; empty where it takes none. */
    public Optional<JsonNode> bodySchema(Operation operation) {
        JsonNode schema = operation.node().at("/requestBody/content/application~1json/schema");
        return schema.isMissingNode() ? Optional.empty() : Optional.of(schema);
    }

    /** What is wrong with a value as this schema of the document has it; nothing when it is as documented. */
    public List<String> faults(JsonNode schema, JsonNode value) {
        return schemas
                .computeIfAbsent(schema, this::schema)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Object::toString)
                .toList();
    }

    /**
     * Holds one answer, and the request where it was accepted, against the document.
     *
     * @throws AssertionError where they differ, with all that was seen
     */
    public void check(Seen seen) {
        List<String> faults = faults(seen);
        if (!faults.isEmpty()) {
            throw new AssertionError("not as docs/openapi.yaml says: " + String.join("; ", faults) + "\n" + seen);
        }
    }

    /** Sends a request with this body, empty for none, and holds the answer against the document. */
    public static HttpResponse<String> send(HttpClient client, HttpRequest request, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        get().check(Seen.of(request, body, response, response.body().getBytes(StandardCharsets.UTF_8)));
        return response;
    }

    /** What of this is not as documented. */
    public List<String> faults(Seen seen) {
        List<String> faults = new ArrayList<>();
        String type = mediaType(seen);
        if (type.equals("application/problem+json")) {
            inside(seen.answer(), faults);
        }
        boolean head = seen.method().equals("HEAD");
        Optional<Operation> found = operation(head ? "GET" : seen.method(), path(seen));
        if (seen.received().firstValue("Trace-Id").isEmpty()) {
            faults.add("no Trace-Id");
        }
        if (head) {
            return faults;
        }
        if (anywhere(seen, type)) {
            faults.addAll(faults(schemaOf("Problem"), json(seen.answer())));
        } else if (found.isEmpty()) {
            faults.add("there is no such operation");
        } else {
            JsonNode response = resolved(found.get().node().path("responses").path(Integer.toString(seen.status())));
            if (response.isMissingNode()) {
                faults.add("status " + seen.status() + " is not documented");
            } else {
                answer(response, seen, type, faults);
            }
            if (seen.status() < 300) {
                request(found.get(), seen, faults);
            }
        }
        return faults;
    }

    private static boolean anywhere(Seen seen, String type) {
        if (!type.equals("application/problem+json")) {
            return false;
        }
        Integer status = ANYWHERE.get(json(seen.answer()).path("code").asText());
        return status != null && status == seen.status();
    }

    private void answer(JsonNode response, Seen seen, String type, List<String> faults) {
        JsonNode content = response.path("content");
        if (content.isEmpty()) {
            if (!seen.answer().isEmpty()) {
                faults.add("a body where none is documented");
            }
        } else if (!content.has(type)) {
            faults.add("media type " + type + " is not documented");
        } else if (type.endsWith("json")) {
            faults.addAll(faults(content.get(type).get("schema"), json(seen.answer())));
        }
        for (String name : HEADERS) {
            JsonNode described = resolved(response.path("headers").path(name));
            Optional<String> value = seen.received().firstValue(name);
            if (value.isPresent() && described.isMissingNode()) {
                faults.add("header " + name + " is not documented");
            } else if (value.isPresent()) {
                faults(described.get("schema"), JSON.getNodeFactory().textNode(value.get()))
                        .forEach(fault -> faults.add("header " + name + fault));
            } else if (described.path("required").asBoolean(false)) {
                faults.add("header " + name + " is missing");
            }
        }
        if ((seen.status() == 503 || seen.status() == 429)
                && type.equals("application/problem+json")
                && seen.received().firstValue("Retry-After").isEmpty()) {
            faults.add(seen.status() + " without Retry-After");
        }
    }

    private void request(Operation operation, Seen seen, List<String> faults) {
        bodySchema(operation).ifPresent(schema -> {
            if (!seen.body().isBlank()) {
                faults(schema, json(seen.body())).forEach(fault -> faults.add("accepted body: " + fault));
            } else if (operation.node().at("/requestBody/required").asBoolean(false)) {
                faults.add("accepted without a body");
            }
        });
        Map<String, JsonNode> query = new LinkedHashMap<>();
        for (JsonNode listed : operation.node().path("parameters")) {
            JsonNode parameter = resolved(listed);
            String name = parameter.get("name").asText();
            switch (parameter.get("in").asText()) {
                case "query" -> query.put(name, parameter);
                case "path" ->
                    value(parameter, segment(operation, name, path(seen)))
                            .forEach(fault -> faults.add("accepted path " + name + ": " + fault));
                case "header" -> {
                    Optional<String> sent = seen.sent().firstValue(name);
                    if (sent.isEmpty() && parameter.path("required").asBoolean(false)) {
                        faults.add("accepted without header " + name);
                    }
                    sent.ifPresent(text -> value(parameter, text)
                            .forEach(fault -> faults.add("accepted header " + name + ": " + fault)));
                }
                default -> faults.add("a parameter in " + parameter.get("in"));
            }
        }
        boolean forAll = operation.node().path("security").isArray()
                && operation.node().get("security").isEmpty();
        // Whoever watches a node may append what it likes: nothing there depends on it.
        for (String pair : forAll ? List.<String>of() : query(seen)) {
            String[] parts = pair.split("=", 2);
            JsonNode parameter = query.get(parts[0]);
            if (parameter == null) {
                faults.add("accepted query parameter " + parts[0]);
            } else {
                value(parameter, URLDecoder.decode(parts.length > 1 ? parts[1] : "", StandardCharsets.UTF_8))
                        .forEach(fault -> faults.add("accepted query " + parts[0] + ": " + fault));
            }
        }
    }

    private List<String> value(JsonNode parameter, String text) {
        JsonNode schema = parameter.get("schema");
        String type = resolved(schema).path("type").asText();
        boolean bare = (type.equals("integer") && text.matches("-?[0-9]{1,18}"))
                || (type.equals("boolean") && text.matches("true|false"));
        return faults(schema, bare ? json(text) : JSON.getNodeFactory().textNode(text));
    }

    /** The operation that answers this. */
    public Optional<Operation> operation(String method, String path) {
        return operations.stream()
                .filter(operation -> operation.method().equals(method) && matches(operation.template(), path))
                .min((a, b) -> Integer.compare(variables(a.template()), variables(b.template())));
    }

    private static int variables(String template) {
        return template.length() - template.replace("{", "").length();
    }

    private static boolean matches(String template, String path) {
        String[] wanted = template.split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (!wanted[i].startsWith("{") && !wanted[i].equals(given[i])) {
                return false;
            }
        }
        return true;
    }

    private static String segment(Operation operation, String name, String path) {
        String[] wanted = operation.template().split("/", -1);
        String[] given = path.split("/", -1);
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].equals("{" + name + "}")) {
                return URLDecoder.decode(given[i].replace("+", "%2B"), StandardCharsets.UTF_8);
            }
        }
        throw new IllegalStateException(operation + " has no " + name);
    }

    /** With or without a slash at the end, where something is served there. */
    private static String path(Seen seen) {
        String path = seen.target().split("\\?", 2)[0];
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static List<String> query(Seen seen) {
        String[] parts = seen.target().split("\\?", 2);
        return parts.length < 2 || parts[1].isEmpty() ? List.of() : List.of(parts[1].split("&"));
    }

    private static String mediaType(Seen seen) {
        return seen.received()
                .firstValue("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .orElse("");
    }

    private static void inside(String problem, List<String> faults) {
        var found = INTERNAL.matcher(problem);
        if (found.find()) {
            faults.add("a problem shows the inside: " + found.group());
        }
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    private JsonNode schemaOf(String name) {
        return JSON.createObjectNode().put("$ref", "#/components/schemas/" + name);
    }

    /** The components are part of every schema, so that references within the document hold. */
    private Schema schema(JsonNode schema) {
        ObjectNode root = schema.deepCopy();
        root.set("components", strictComponents);
        return REGISTRY.getSchema(root);
    }

    /** What the document does not name is a fault, while clients may well ignore it. */
    private static void close(JsonNode schema) {
        if (schema instanceof ObjectNode named) {
            named.remove("x-record");
        }
        if (schema instanceof ObjectNode object
                && object.has("properties")
                && !object.has("additionalProperties")
                && !object.has("allOf")) {
            object.put("additionalProperties", false);
        }
    }
}
