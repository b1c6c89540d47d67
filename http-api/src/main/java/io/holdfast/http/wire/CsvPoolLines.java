package io.holdfast.http.wire;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** RFC 4180, a record a line: no value that may be here has a line break in it. */
final class CsvPoolLines implements PoolLines {

    private static final Set<String> COLUMNS = Set.of("pool", "total");
    /** As JSON has them. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final ObjectReader READER = new CsvMapper()
            .enable(CsvParser.Feature.WRAP_AS_ARRAY)
            .enable(CsvParser.Feature.TRIM_SPACES)
            .readerFor(String[].class);

    private final JsonReader numbers;
    private Optional<List<String>> columns = Optional.empty();
    private boolean lost;

    CsvPoolLines(JsonReader numbers) {
        this.numbers = numbers;
    }

    @Override
    public Parsed<Optional<Asked>> read(byte[] line) {
        return text(line).then(CsvPoolLines::values).then(values -> {
            if (columns.isEmpty()) {
                return head(values);
            }
            if (values.size() != columns.get().size()) {
                return Parsed.invalid(InputError.body(
                        "",
                        Code.BAD_SYNTAX,
                        "The line has " + values.size() + " values, its first line names "
                                + columns.get().size() + "."));
            }
            String pool = values.get(columns.get().indexOf("pool"));
            String total = values.get(columns.get().indexOf("total"));
            return total(total).then(body -> Parsed.valid(Optional.of(new Asked(pool, body))));
        });
    }

    /** As JSON reads it: what is no number there is a text here. */
    private Parsed<ObjectValue> total(String written) {
        return NUMBER.matcher(written).matches()
                ? numbers.read(("{\"total\":" + written + "}").getBytes(StandardCharsets.UTF_8))
                : Parsed.valid(new ObjectValue(Map.of("total", new JsonValue.Text(written))));
    }

    private Parsed<Optional<Asked>> head(List<String> names) {
        if (!COLUMNS.equals(Set.copyOf(names)) || names.size() != COLUMNS.size()) {
            lost = true;
            return Parsed.invalid(InputError.body(
                    "", Code.BAD_SYNTAX, "The first line must name the columns: pool and total, in any order."));
        }
        columns = Optional.of(names);
        return Parsed.valid(Optional.empty());
    }

    private static Parsed<String> text(byte[] line) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
            return Parsed.valid(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return Parsed.invalid(InputError.body("", Code.BAD_SYNTAX, "The line is not UTF-8."));
        }
    }

    private static Parsed<List<String>> values(String line) {
        try (MappingIterator<String[]> rows = READER.readValues(line)) {
            List<String> values = new ArrayList<>();
            while (rows.hasNextValue()) {
                values.addAll(List.of(rows.nextValue()));
            }
            return Parsed.valid(values);
        } catch (IOException | RuntimeException e) {
            return Parsed.invalid(
                    InputError.body("", Code.BAD_SYNTAX, "The line is not values with commas between (RFC 4180)."));
        }
    }

    @Override
    public boolean lost() {
        return lost;
    }
}
