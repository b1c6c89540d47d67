package io.holdfast.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MomentsTest {

    private static final RandomGenerator RANDOM =
            RandomGeneratorFactory.of("L64X128MixRandom").create(7);

    private static void sameAsInstant(Instant moment) {
        assertThat(Moments.text(moment)).isEqualTo(moment.toString());
        assertThat(Moments.parse(moment.toString())).isEqualTo(moment);
    }

    @Test
    void every_moment_is_written_and_read_as_by_instant() {
        for (int i = 0; i < 100_000; i++) {
            long second = RANDOM.nextLong(-70_000_000_000L, 260_000_000_000L); // before year 0 to after 9999
            int nanos = RANDOM.nextInt(1_000_000_000);
            int coarse = new int[] {1, 1000, 1_000_000, 1_000_000_000}[i % 4];
            sameAsInstant(Instant.ofEpochSecond(second, nanos / coarse * coarse));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "9999-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "0000-01-01T00:00:00Z",
                "-0001-12-31T23:59:59Z",
                "2024-02-29T12:00:00.000001Z",
                "2026-12-31T00:00:00.100Z",
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void so_are_those_at_an_edge(String text) {
        sameAsInstant(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-02T24:00:00Z",
                "2016-12-31T23:59:60Z",
                "2026-01-02t03:04:05z",
                "2026-01-02T03:04:05.1Z",
                "2026-01-02T03:04:05.12345678Z",
                "2026-01-02T03:04:05.000000000Z",
                "2026-01-02T03:04:05+01:00",
                "2026-01-02T03:04Z"
            })
    void other_texts_mean_what_they_mean_to_instant(String text) {
        Instant moment;
        try {
            moment = Instant.parse(text);
        } catch (DateTimeException _) {
            assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> Moments.parse(text));
            return;
        }
        assertThat(Moments.parse(text)).isEqualTo(moment);
    }

    @Test
    void a_text_with_any_change_is_read_or_refused_as_instant_does() {
        String usual = "2026-02-28T23:59:59.123456Z";
        String characters = "0123456789-+:.TZtz /\u0660";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder(usual.substring(0, 1 + RANDOM.nextInt(usual.length())));
            if (RANDOM.nextBoolean()) {
                text.append('Z');
            }
            for (int changes = RANDOM.nextInt(3); changes > 0; changes--) {
                text.setCharAt(RANDOM.nextInt(text.length()), characters.charAt(RANDOM.nextInt(characters.length())));
            }
            other_texts_mean_what_they_mean_to_instant(text.toString());
        }
    }

    @Test
    void json_has_them_as_before() {
        JsonCodec<Held> codec = JsonCodec.of(Held.class);
        Held held = new Held(Instant.parse("2026-01-02T03:04:05.678901Z"));
        assertThat(new String(codec.encode(held))).isEqualTo("{\"until\":\"2026-01-02T03:04:05.678901Z\"}");
        assertThat(codec.decode(codec.encode(held))).isEqualTo(held);
        for (String wrong : new String[] {"\"soon\"", "\"\"", "null", "true", "{}", "[\"2026-01-02T03:04:05Z\"]"}) {
            assertThatExceptionOfType(UnreadableEntry.class)
                    .as(wrong)
                    .isThrownBy(() -> codec.decode(("{\"until\":" + wrong + "}").getBytes()));
        }
    }

    record Held(Instant until) {}
}
