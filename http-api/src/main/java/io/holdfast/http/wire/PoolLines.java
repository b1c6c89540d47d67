package io.holdfast.http.wire;

import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads lines of an upload of pools. What a line asks for is what {@code PUT /v1/pools/{pool}} is asked for, with the pool beside it. */
public interface PoolLines {

    /**
     * A pool to be made.
     *
     * @param pool its id, as it was written
     * @param body of the PUT
     */
    record Asked(String pool, ObjectValue body) {}

    /** What a line asks for; nothing where it is not one that asks. Lines come in their order. */
    Parsed<Optional<Asked>> read(byte[] line);

    /** Whether nothing behind a line that could not be read can be understood. */
    boolean lost();

    /** One JSON object a line, with {@code pool} and the fields of the PUT. */
    static PoolLines json(JsonReader reader) {
        return new PoolLines() {
            @Override
            public Parsed<Optional<Asked>> read(byte[] line) {
                return reader.read(line).then(object -> {
                    if (!(object.fields().get("pool") instanceof JsonValue.Text(String pool))) {
                        return Parsed.invalid(InputError.field(
                                "pool",
                                object.fields().containsKey("pool") ? Code.WRONG_TYPE : Code.MISSING,
                                "Must be given, as a string."));
                    }
                    Map<String, JsonValue> rest = new LinkedHashMap<>(object.fields());
                    rest.remove("pool");
                    return Parsed.valid(Optional.of(new Asked(pool, new ObjectValue(rest))));
                });
            }

            @Override
            public boolean lost() {
                return false;
            }
        };
    }

    /** Values with commas between; the first line names them: {@code pool} and {@code total}, in any order; numbers are as in JSON. */
    static PoolLines csv(JsonReader reader) {
        return new CsvPoolLines(reader);
    }
}
