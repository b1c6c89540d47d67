package io.holdfast.engine.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.machine.Cause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journal entries of one machine as UTF-8 JSON, readable with plain SQL:
 *
 * <pre>{@code
 * {"v":1, "type":"Prepared", "at":"2026-01-01T12:00:00Z",
 *  "cause":{"id":"k-1", "hash":"…", "kind":"REQUEST", "actor":"shop", "trace":"…"},
 *  "wake_at":"2026-01-01T12:00:00Z", "data":{"order_item_id":"i-1", "quantity":2}}
 * }</pre>
 *
 * <p>{@code type} is the simple name of the event's record, {@code data} its components in snake_case; {@code trace} and {@code wake_at}
 * are left out where there is none. {@code EffectStalled} is the engine's own entry.
 *
 * @param <E> events of the machine
 */
public final class JournalCodec<E> {

    private static final Logger LOG = LoggerFactory.getLogger(JournalCodec.class);
    private static final String EFFECT_STALLED = Entry.EffectStalled.class.getSimpleName();

    private final Class<E> eventType;
    private final int version;
    private final Upcaster upcaster;
    private final Map<String, ObjectReader> readers = new HashMap<>();
    private final Map<Class<?>, ObjectWriter> writers = new HashMap<>();

    private JournalCodec(Class<E> eventType, int version, Upcaster upcaster) {
        if (version < 1) {
            throw new IllegalArgumentException("schema versions start at 1, but this is " + version);
        }
        this.eventType = eventType;
        this.version = version;
        this.upcaster = upcaster;
        SealedTypes.leavesOf(eventType).forEach((name, leaf) -> {
            if (name.equals(EFFECT_STALLED)) {
                throw new IllegalArgumentException(leaf.getName() + ": the name " + name + " belongs to the engine");
            }
            // An event is read out of the middle of its entry, so something follows.
            readers.put(
                    name, EngineJson.MAPPER.readerFor(leaf).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS));
            writers.put(leaf, EngineJson.MAPPER.writerFor(leaf));
        });
    }

    /** The codec of a machine whose events have never changed shape. */
    public static <E> JournalCodec<E> of(Class<E> eventType) {
        return new JournalCodec<>(eventType, 1, Upcaster.none());
    }

    /**
     * The codec of a machine whose events have changed shape.
     *
     * @param version written into new entries
     * @param upcaster reads entries of older versions
     */
    public static <E> JournalCodec<E> of(Class<E> eventType, int version, Upcaster upcaster) {
        return new JournalCodec<>(eventType, version, upcaster);
    }

    /** The entry as UTF-8 JSON. */
    public byte[] encode(Entry<E> entry) {
        var bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = EngineJson.MAPPER.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("v", version);
            switch (entry) {
                case Entry.Happened<E>(E event, Meta meta) -> {
                    ObjectWriter writer = writers.get(event.getClass());
                    if (writer == null) {
                        throw new IllegalArgumentException(
                                event.getClass().getName() + " is no event of " + eventType.getName());
                    }
                    writeHead(json, event.getClass().getSimpleName(), meta);
                    json.writeFieldName("data");
                    writer.writeValue(json, event);
                }
                case Entry.EffectStalled<E>(
                        String operationId,
                        String effect,
                        int attempts,
                        String lastError,
                        Meta meta) -> {
                    writeHead(json, EFFECT_STALLED, meta);
                    json.writeObjectFieldStart("data");
                    json.writeStringField("operation_id", operationId);
                    json.writeStringField("effect", effect);
                    json.writeNumberField("attempts", attempts);
                    json.writeStringField("last_error", lastError);
                    json.writeEndObject();
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "can't write an event of " + eventType.getName() + " as JSON: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    private static void writeHead(JsonGenerator json, String type, Meta meta) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("at", Moments.text(meta.at()));
        Cause cause = meta.cause();
        json.writeObjectFieldStart("cause");
        json.writeStringField("id", cause.id());
        json.writeStringField("hash", cause.hash());
        json.writeStringField("kind", cause.kind().name());
        json.writeStringField("actor", cause.actor());
        if (cause.traceId().isPresent()) {
            json.writeStringField("trace", cause.traceId().get());
        }
        json.writeEndObject();
        if (meta.wakeAt().isPresent()) {
            json.writeStringField("wake_at", Moments.text(meta.wakeAt().get()));
        }
    }

    /**
     * Reads an entry of this or an older version.
     *
     * @throws UnreadableEntry if it is broken, of a later version, of an unknown type, or lacks something
     */
    public Entry<E> decode(byte[] json) {
        Entry<E> usual = decodeUsual(json);
        return usual == null ? decodeAny(json) : usual;
    }

    /**
     * Reads in one pass what this version wrote: nearly everything that is ever read.
     *
     * @return null if the entry is anything else; what it is, or what is wrong with it, is found without haste
     */
    @Nullable
    Entry<E> decodeUsual(byte[] json) {
        try (JsonParser parser = EngineJson.MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT
                    || !"v".equals(parser.nextFieldName())
                    || parser.nextIntValue(0) != version
                    || !"type".equals(parser.nextFieldName())) {
                return null;
            }
            String type = parser.nextTextValue();
            ObjectReader reader = type == null ? null : readers.get(type);
            if (reader == null || !"at".equals(parser.nextFieldName())) {
                return null;
            }
            String at = parser.nextTextValue();
            if (at == null || !"cause".equals(parser.nextFieldName())) {
                return null;
            }
            Cause cause = usualCause(parser);
            if (cause == null) {
                return null;
            }
            Optional<Instant> wakeAt = Optional.empty();
            String field = parser.nextFieldName();
            if ("wake_at".equals(field)) {
                String text = parser.nextTextValue();
                if (text == null) {
                    return null;
                }
                wakeAt = Optional.of(Moments.parse(text));
                field = parser.nextFieldName();
            }
            if (!"data".equals(field) || parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            E event = eventType.cast(reader.<Object>readValue(parser));
            boolean ends = parser.nextToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return ends ? new Entry.Happened<>(event, new Meta(Moments.parse(at), cause, wakeAt)) : null;
        } catch (IOException | IllegalArgumentException | DateTimeException unusual) {
            LOG.trace("not what this version writes", unusual);
            return null;
        }
    }

    /** The fields of a cause in the order in which they are written, or null. */
    private static @Nullable Cause usualCause(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return null;
        }
        String id = usualText(parser, "id");
        String hash = usualText(parser, "hash");
        String kind = usualText(parser, "kind");
        String actor = usualText(parser, "actor");
        if (id == null || hash == null || kind == null || actor == null) {
            return null;
        }
        String trace = null;
        String field = parser.nextFieldName();
        if ("trace".equals(field)) {
            trace = parser.nextTextValue();
            if (trace == null) {
                return null;
            }
            field = parser.nextFieldName();
        }
        boolean ends = field == null && parser.currentToken() == JsonToken.END_OBJECT;
        return ends ? new Cause(id, hash, Cause.Kind.valueOf(kind), actor, Optional.ofNullable(trace)) : null;
    }

    private static @Nullable String usualText(JsonParser parser, String field) throws IOException {
        return field.equals(parser.nextFieldName()) ? parser.nextTextValue() : null;
    }

    private Entry<E> decodeAny(byte[] json) {
        ObjectNode entry = parse(json);
        int writtenUnder = integer(entry, "v");
        if (writtenUnder > version) {
            throw new UnreadableEntry(
                    "written under schema version " + writtenUnder + ", but this is version " + version);
        }
        if (writtenUnder < version) {
            entry = upcaster.upcast(entry, writtenUnder);
        }
        String type = text(entry, "type");
        Meta meta = meta(entry);
        ObjectNode data = object(entry, "data");
        if (type.equals(EFFECT_STALLED)) {
            return new Entry.EffectStalled<>(
                    text(data, "operation_id"),
                    text(data, "effect"),
                    integer(data, "attempts"),
                    text(data, "last_error"),
                    meta);
        }
        ObjectReader reader = readers.get(type);
        if (reader == null) {
            throw new UnreadableEntry("no event of " + eventType.getSimpleName() + " is named " + type);
        }
        try {
            return new Entry.Happened<>(eventType.cast(reader.<Object>readValue(data)), meta);
        } catch (IOException e) {
            throw UnreadableEntry.because(eventType, e);
        }
    }

    private ObjectNode parse(byte[] json) {
        try {
            if (EngineJson.MAPPER.readTree(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw UnreadableEntry.because(eventType, e);
        }
        throw new UnreadableEntry("not a JSON object");
    }

    private static Meta meta(ObjectNode entry) {
        ObjectNode cause = object(entry, "cause");
        Cause.Kind kind;
        try {
            kind = Cause.Kind.valueOf(text(cause, "kind"));
        } catch (IllegalArgumentException _) {
            throw new UnreadableEntry("unknown kind of cause " + text(cause, "kind"));
        }
        return new Meta(
                instant(text(entry, "at")),
                new Cause(
                        text(cause, "id"),
                        text(cause, "hash"),
                        kind,
                        text(cause, "actor"),
                        optionalText(cause, "trace")),
                optionalText(entry, "wake_at").map(JournalCodec::instant));
    }

    private static ObjectNode object(ObjectNode parent, String field) {
        if (parent.get(field) instanceof ObjectNode object) {
            return object;
        }
        throw new UnreadableEntry(field + " is missing, or no object");
    }

    private static String text(ObjectNode parent, String field) {
        return optionalText(parent, field).orElseThrow(() -> new UnreadableEntry(field + " is missing"));
    }

    private static Optional<String> optionalText(ObjectNode parent, String field) {
        JsonNode value = parent.get(field);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw new UnreadableEntry(field + " is no text");
        }
        return Optional.of(value.textValue());
    }

    private static int integer(ObjectNode parent, String field) {
        JsonNode value = parent.get(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new UnreadableEntry(field + " is missing, or no integer");
        }
        return value.intValue();
    }

    private static Instant instant(String text) {
        try {
            return Moments.parse(text);
        } catch (DateTimeException _) {
            throw new UnreadableEntry("no moment: " + text);
        }
    }
}
