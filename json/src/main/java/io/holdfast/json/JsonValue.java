package io.holdfast.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON document as it was written. Numbers keep their token: nothing is converted before somebody asks for a bounded integer. */
public sealed interface JsonValue {

    /** Fields in the order they were written; no name occurs twice. */
    record ObjectValue(Map<String, JsonValue> fields) implements JsonValue {
        /** An object without fields. */
        public static final ObjectValue EMPTY = new ObjectValue(Map.of());

        public ObjectValue {
            fields = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** Elements in order. */
    record ArrayValue(List<JsonValue> elements) implements JsonValue {
        public ArrayValue {
            elements = List.copyOf(elements);
        }
    }

    /** A string, escapes resolved. */
    record Text(String value) implements JsonValue {}

    /** A number written without fraction and exponent. */
    record IntegerToken(String token) implements JsonValue {}

    /** A number written with a fraction or an exponent, whatever its value. */
    record FractionToken(String token) implements JsonValue {}

    /** true or false. */
    record Bool(boolean value) implements JsonValue {}

    /** null. */
    record Null() implements JsonValue {}
}
