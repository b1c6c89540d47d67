package io.holdfast.engine.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;

/**
 * JSON of one type: a record, or a sealed interface that ends in records.
 *
 * @param <T> the type
 */
public final class JsonCodec<T> {

    private final Class<T> type;
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private JsonCodec(Class<T> type) {
        SealedTypes.leavesOf(type);
        this.type = type;
        this.writer = EngineJson.MAPPER.writerFor(type);
        this.reader = EngineJson.MAPPER.readerFor(type);
    }

    /**
     * The codec of a type.
     *
     * @throws IllegalArgumentException if the type is neither a record nor a sealed interface of records with distinct simple names
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        return new JsonCodec<>(type);
    }

    /** As UTF-8 JSON. */
    public byte[] encode(T value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("can't write " + type.getName() + " as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** As a JSON tree, for those who show it. */
    public JsonNode toTree(T value) {
        try {
            return EngineJson.MAPPER.readTree(encode(value));
        } catch (IOException e) {
            throw new IllegalStateException("can't read what was just written", e);
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws UnreadableEntry if it is not that: broken JSON, an unknown type or constant, a component missing
     */
    public T decode(byte[] json) {
        try {
            return reader.readValue(json);
        } catch (IOException e) {
            throw UnreadableEntry.because(type, e);
        }
    }

    /** As {@link #decode(byte[])}, from a tree. */
    public T decode(JsonNode json) {
        try {
            return reader.readValue(json);
        } catch (IOException e) {
            throw UnreadableEntry.because(type, e);
        }
    }
}
