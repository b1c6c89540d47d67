package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.json.JsonValue.FractionToken;
import io.holdfast.json.JsonValue.IntegerToken;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.JsonValue.Text;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JsonReaderTest {

    private final JsonReader reader = new JsonReader(JsonLimits.DEFAULT);

    private Parsed<ObjectValue> read(String text) {
        return reader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private ObjectValue valid(String text) {
        return ((Parsed.Valid<ObjectValue>) read(text)).value();
    }

    @Test
    void numbers_keep_their_token_and_are_never_converted() {
        var fields = valid("{\"a\":9007199254740993,\"b\":1e1000000000,\"c\":-0,\"d\":2.0}")
                .fields();
        assertThat(fields)
                .containsEntry("a", new IntegerToken("9007199254740993"))
                .containsEntry("b", new FractionToken("1e1000000000"))
                .containsEntry("c", new IntegerToken("-0"))
                .containsEntry("d", new FractionToken("2.0"));
    }

    @Test
    void escapes_are_resolved_and_neighbouring_ids_stay_apart() {
        assertThat(valid("{\"\\u0061\":\"\\u6d0b\"}").fields()).containsEntry("a", new Text("洋"));
        assertThat(valid("{\"a\":\"9007199254740993\"}")).isNotEqualTo(valid("{\"a\":\"9007199254740992\"}"));
    }

    @Test
    void whatever_the_bytes_are_they_are_read_or_refused() {
        Random random = new Random(42);
        String pieces = "{}[]\":,\\ue0-+.1nulltrue \n\t\u00e9";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("{");
            int length = random.nextInt(30);
            for (int j = 0; j < length; j++) {
                text.append(pieces.charAt(random.nextInt(pieces.length())));
            }
            assertThat(read(text.toString())).isNotNull();
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(reader.read(bytes)).isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "-1, -1",
        "9007199254740991, 9007199254740991",
        "-9007199254740991, -9007199254740991",
        "9007199254740992, ",
        "99999999999999999, ",
        "-0, ",
        "00, ",
        "01, ",
        "'', ",
        "-, ",
        "1e0, ",
        "1.0, ",
        "+1, ",
        "' 1', ",
        "１, ",
        "٣, "
    })
    void integers_are_ascii_digits_that_stay_exact(String token, Long number) {
        assertThat(Integers.parse(token)).isEqualTo(Optional.ofNullable(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-29T18:30:00+08:00", "2026-11-29T10:30:00Z", "2026-11-29t10:30:00.000z"})
    void one_moment_has_one_meaning_however_it_is_written(String text) {
        assertThat(Timestamps.parse(text)).contains(Instant.parse("2026-11-29T10:30:00Z"));
    }

    @Test
    void the_hash_depends_on_meaning_and_operation_alone() {
        String hash = ContentHash.of("reserve").with("a", "1").with("b", 2).hex();
        assertThat(hash).matches("[0-9a-f]{64}");
        assertThat(ContentHash.of("reserve").with("b", 2).with("a", "1").hex()).isEqualTo(hash);
        assertThat(ContentHash.of("cancel").with("a", "1").with("b", 2).hex()).isNotEqualTo(hash);
        assertThat(ContentHash.of("reserve").with("a", 1).with("b", 2).hex()).isNotEqualTo(hash);
        assertThat(ContentHash.of("reserve").with("a", "1").with("b", 2).causeIdFor("e1"))
                .isNotEqualTo(
                        ContentHash.of("reserve").with("a", "1").with("b", 2).causeIdFor("e2"));
    }
}
