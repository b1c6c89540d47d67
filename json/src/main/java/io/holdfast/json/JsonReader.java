package io.holdfast.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ArrayValue;
import io.holdfast.json.JsonValue.Bool;
import io.holdfast.json.JsonValue.FractionToken;
import io.holdfast.json.JsonValue.IntegerToken;
import io.holdfast.json.JsonValue.Null;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.JsonValue.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON object, strictly: well-formed UTF-8 and nothing else, no name twice at any level, nothing after the object, every limit
 * enforced while reading. Numbers are not converted, so a short one that stands for a huge value costs nothing. Safe for use by many
 * threads.
 */
public final class JsonReader {

    private final JsonLimits limits;
    private final JsonFactory factory;

    /** A reader with these limits. */
    public JsonReader(JsonLimits limits) {
        this.limits = limits;
        this.factory = JsonFactory.builder()
                // Names come from strangers: they must not fill a table that all readers share.
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.depth())
                        .maxNumberLength(limits.numberLength())
                        .maxStringLength(limits.stringLength())
                        .maxNameLength(limits.nameLength())
                        .build())
                .build();
    }

    /** The object these bytes are, or the first fault that makes them something else. */
    public Parsed<ObjectValue> read(byte[] utf8) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            return Parsed.invalid(InputError.body("", Code.NOT_JSON, "The body is not well-formed UTF-8."));
        }
        try (JsonParser parser = factory.createParser(text)) {
            return read(parser);
        } catch (IOException e) {
            // Reading from memory: only closing could fail, and it has nothing to close.
            throw new UncheckedIOException(e);
        }
    }

    private Parsed<ObjectValue> read(JsonParser parser) throws IOException {
        try {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Parsed.invalid(InputError.body("", Code.WRONG_TYPE, "The body must be a JSON object."));
            }
            ObjectValue object = object(parser);
            if (parser.nextToken() != null) {
                return Parsed.invalid(InputError.body("", Code.NOT_JSON, "Something follows the JSON object."));
            }
            return Parsed.valid(object);
        } catch (DuplicateName e) {
            return Parsed.invalid(InputError.body(e.pointer, Code.DUPLICATE, "This name occurs twice."));
        } catch (StreamConstraintsException e) {
            return Parsed.invalid(InputError.body(
                    place(parser),
                    Code.OVER_LIMIT,
                    "Beyond a limit: at most " + limits.depth() + " levels, " + limits.numberLength()
                            + " characters in a number, " + limits.stringLength() + " in a string, "
                            + limits.nameLength()
                            + " in a name."));
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String where = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
            return Parsed.invalid(
                    InputError.body(place(parser), Code.NOT_JSON, "The body is not valid JSON" + where + "."));
        }
    }

    private static ObjectValue object(JsonParser parser) throws IOException {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (fields.put(name, value(parser)) != null) {
                throw new DuplicateName(parser, place(parser));
            }
        }
        return new ObjectValue(fields);
    }

    private static ArrayValue array(JsonParser parser) throws IOException {
        List<JsonValue> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
        }
        return new ArrayValue(elements);
    }

    /** Recursive, but never deeper than the depth the parser allows. */
    private static JsonValue value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT -> new IntegerToken(parser.getText());
            case VALUE_NUMBER_FLOAT -> new FractionToken(parser.getText());
            case VALUE_TRUE -> new Bool(true);
            case VALUE_FALSE -> new Bool(false);
            case VALUE_NULL -> new Null();
            case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("not the start of a value: " + parser.currentToken());
        };
    }

    private static String place(JsonParser parser) {
        return InputError.clipped(parser.getParsingContext().pathAsPointer().toString());
    }

    private static final class DuplicateName extends JsonProcessingException {
        private final String pointer;

        DuplicateName(JsonParser parser, String pointer) {
            super("duplicate name", parser.currentTokenLocation());
            this.pointer = pointer;
        }
    }
}
