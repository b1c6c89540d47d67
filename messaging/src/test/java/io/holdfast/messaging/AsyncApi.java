package io.holdfast.messaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** {@code docs/asyncapi.yaml}, to hold messages against. */
public final class AsyncApi {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode document;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private AsyncApi(ObjectNode document) {
        this.document = document;
    }

    /** The document of this repository. */
    public static AsyncApi load() {
        Path folder = Path.of("").toAbsolutePath();
        while (Files.notExists(folder.resolve("docs/asyncapi.yaml"))) {
            folder = folder.getParent();
        }
        try {
            return new AsyncApi((ObjectNode) new ObjectMapper(new YAMLFactory())
                    .readTree(folder.resolve("docs/asyncapi.yaml").toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole of it. */
    public JsonNode document() {
        return document;
    }

    /** Names of the messages of a topic. */
    public Set<String> messagesOf(String topic) {
        Set<String> names = new TreeSet<>();
        for (JsonNode channel : document.at("/channels")) {
            if (channel.at("/address").asText().equals(topic)) {
                channel.at("/messages").fieldNames().forEachRemaining(names::add);
            }
        }
        return names;
    }

    /** What is wrong with this value as the payload of that message; nothing when it is as documented. */
    public List<String> payloadFaults(String message, JsonNode payload) {
        return faults(document.at("/components/messages/" + message + "/payload"), payload);
    }

    /** The same for headers. */
    public List<String> headerFaults(String message, Map<String, String> headers) {
        JsonNode described = document.at("/components/messages/" + message);
        List<String> faults = new ArrayList<>();
        JsonNode values = JSON.valueToTree(headers);
        if (described.has("headers")) {
            faults.addAll(faults(described.get("headers"), values));
        }
        for (JsonNode trait : described.path("traits")) {
            faults.addAll(faults(resolve(trait).get("headers"), values));
        }
        if (!described.has("headers") && described.path("traits").isEmpty()) {
            faults.add("no headers are described for " + message);
        }
        return faults;
    }

    /** Every {@code $ref} of the document that leads nowhere. */
    public List<String> brokenReferences() {
        List<String> broken = new ArrayList<>();
        document.findValues("$ref").forEach(ref -> {
            if (document.at(ref.asText().substring(1)).isMissingNode()) {
                broken.add(ref.asText());
            }
        });
        return broken;
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    private List<String> faults(JsonNode schema, JsonNode value) {
        if (!schema.has("$ref")) {
            throw new IllegalArgumentException("no schema by reference: " + schema);
        }
        return schemas
                .computeIfAbsent(schema.get("$ref").asText(), this::schema)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Object::toString)
                .toList();
    }

    /** The document itself is the schema, so that references within it hold. */
    private Schema schema(String reference) {
        ObjectNode root = JSON.createObjectNode();
        root.put("$ref", reference);
        root.set("components", document.get("components"));
        return REGISTRY.getSchema(root);
    }
}
