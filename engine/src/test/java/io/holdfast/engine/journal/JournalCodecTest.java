package io.holdfast.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.machine.Cause;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JournalCodecTest {

    enum Grade {
        GOOD,
        BAD
    }

    record Id(String value) {
        Id {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("an id is not empty");
            }
        }
    }

    sealed interface Price {
        record Fixed(long minorUnits) implements Price {}

        record Ask() implements Price {}
    }

    record Line(Id item, int quantity) {}

    sealed interface Fact {
        sealed interface Early extends Fact {}

        record Opened(
                Id owner,
                long units,
                Grade grade,
                Price price,
                List<Line> lines,
                Map<String, Long> counts,
                Instant from,
                LocalDate day,
                Optional<String> note,
                boolean open)
                implements Early {

            /** Looks like a getter, and is no component. */
            public int getDouble() {
                return 2;
            }

            public boolean isNoted() {
                return note.isPresent();
            }
        }

        record Closed() implements Fact {}
    }

    private static final Meta META = new Meta(
            Instant.parse("2026-01-01T12:00:00.123456Z"),
            new Cause("k-1", "abc", Cause.Kind.EVENT, "orders", Optional.of("trace-1")),
            Optional.of(Instant.parse("2026-01-01T13:00:00Z")));
    private static final Fact.Opened OPENED = new Fact.Opened(
            new Id("o-1"),
            9_007_199_254_740_993L,
            Grade.GOOD,
            new Price.Fixed(-1),
            List.of(new Line(new Id("i-1"), 2)),
            new LinkedHashMap<>(Map.of("a", 1L)),
            Instant.parse("2026-01-01T00:00:00Z"),
            LocalDate.parse("2026-01-02"),
            Optional.empty(),
            true);
    private static final String OPENED_JSON = """
        {"v":1,"type":"Opened","at":"2026-01-01T12:00:00.123456Z",
        "cause":{"id":"k-1","hash":"abc","kind":"EVENT","actor":"orders","trace":"trace-1"},
        "wake_at":"2026-01-01T13:00:00Z",
        "data":{"owner":"o-1","units":9007199254740993,"grade":"GOOD","price":{"type":"Fixed","minor_units":-1},
        "lines":[{"item":"i-1","quantity":2}],"counts":{"a":1},"from":"2026-01-01T00:00:00Z","day":"2026-01-02","open":true}}\
        """.replace("\n", "");

    private final JournalCodec<Fact> codec = JournalCodec.of(Fact.class);

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    @Test
    void an_entry_is_written_as_json_that_sql_can_read() {
        assertThat(text(codec.encode(new Entry.Happened<>(OPENED, META)))).isEqualTo(OPENED_JSON);
    }

    @Test
    void what_was_written_is_read_back_exactly() {
        assertThat(codec.decode(bytes(OPENED_JSON))).isEqualTo(new Entry.Happened<Fact>(OPENED, META));

        var without =
                new Meta(META.at(), new Cause("x", "", Cause.Kind.TIMER, "engine", Optional.empty()), Optional.empty());
        Entry<Fact> closed = new Entry.Happened<>(new Fact.Closed(), without);
        assertThat(text(codec.encode(closed)))
                .isEqualTo(
                        "{\"v\":1,\"type\":\"Closed\",\"at\":\"2026-01-01T12:00:00.123456Z\","
                            + "\"cause\":{\"id\":\"x\",\"hash\":\"\",\"kind\":\"TIMER\",\"actor\":\"engine\"},\"data\":{}}");
        assertThat(codec.decode(codec.encode(closed))).isEqualTo(closed);
    }

    @Test
    void what_this_version_writes_is_read_in_one_pass_whatever_is_left_out() {
        for (Optional<String> trace : List.of(Optional.<String>empty(), Optional.of("t"))) {
            for (Optional<Instant> wakeAt : List.of(Optional.<Instant>empty(), Optional.of(Instant.EPOCH))) {
                for (Fact fact : List.of(OPENED, new Fact.Closed())) {
                    var meta = new Meta(META.at(), new Cause("x", "", Cause.Kind.TIMER, "engine", trace), wakeAt);
                    Entry<Fact> entry = new Entry.Happened<>(fact, meta);

                    assertThat(codec.decodeUsual(codec.encode(entry))).isEqualTo(entry);
                }
            }
        }
        assertThat(codec.decodeUsual(bytes(OPENED_JSON + " {}"))).isNull();
        assertThat(codec.decodeUsual(bytes(OPENED_JSON.replace("\"v\":1", "\"v\":0"))))
                .isNull();
    }

    @Test
    void a_stall_is_written_and_read_as_the_engines_own_entry() {
        Entry<Fact> stall = new Entry.EffectStalled<>("TRY:1", "try", 5, "it said \"no\"\n", META);

        assertThat(text(codec.encode(stall)))
                .contains("\"type\":\"EffectStalled\"")
                .endsWith("\"data\":{\"operation_id\":\"TRY:1\",\"effect\":\"try\",\"attempts\":5,\"last_error\":\"it"
                        + " said \\\"no\\\"\\n"
                        + "\"}}");
        assertThat(codec.decode(codec.encode(stall))).isEqualTo(stall);
    }

    @Test
    void a_component_this_version_does_not_know_is_skipped() {
        assertThat(codec.decode(bytes(OPENED_JSON.replace("\"open\":true", "\"open\":true,\"colour\":{\"red\":1}"))))
                .isEqualTo(new Entry.Happened<Fact>(OPENED, META));
        assertThat(codec.decode(bytes(OPENED_JSON.replace("\"v\":1,", "\"v\":1,\"node\":\"n-1\","))))
                .isEqualTo(new Entry.Happened<Fact>(OPENED, META));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        a type from the future               | "type":"Opened"              | "type":"Reopened"
        a missing type                       | "type":"Opened",             |
        a missing component                  | "owner":"o-1",               |
        a missing number                     | "units":9007199254740993,    |
        a missing truth value                | ,"open":true                 |
        a missing list                       | "lines":[{"item":"i-1","quantity":2}], |
        a null component                     | "owner":"o-1"                | "owner":null
        a null number                        | "units":9007199254740993     | "units":null
        a value its type refuses             | "owner":"o-1"                | "owner":""
        a constant from the future           | "grade":"GOOD"               | "grade":"SUPERB"
        a constant by number                 | "grade":"GOOD"               | "grade":0
        an inner type from the future        | "type":"Fixed"               | "type":"Auction"
        an inner type missing                | "type":"Fixed",              |
        an inner component missing           | ,"quantity":2                |
        a fraction for an integer            | "quantity":2                 | "quantity":2.5
        a text for an integer                | "quantity":2                 | "quantity":"2"
        a number beyond its type             | "quantity":2                 | "quantity":2147483648
        a number beyond any type             | 9007199254740993             | 1e400
        a number for a text                  | "owner":"o-1"                | "owner":1
        no time                              | "at":"2026-01-01T12:00:00.123456Z", |
        a broken time                        | "at":"2026-01-01T12:00:00.123456Z" | "at":"noon"
        a broken wake-up                     | "wake_at":"2026-01-01T13:00:00Z" | "wake_at":5
        no cause                             | "cause"                      | "reason"
        a cause without an id                | "id":"k-1",                  |
        a kind of cause from the future      | "kind":"EVENT"               | "kind":"ORACLE"
        no data                              | "data"                       | "date"
        a version from the future            | "v":1                        | "v":2
        no version                           | "v":1,                       |
        a version that is no number          | "v":1                        | "v":"1"
        something after it                   | "open":true}}                | "open":true}} {}
        half of it                           | ,"day":"2026-01-02","open":true}} |
        """)
    void what_can_not_be_understood_is_refused_and_never_guessed(String what, String found, String changed) {
        String json = OPENED_JSON.replace(found, changed == null ? "" : changed);
        assertThat(json).isNotEqualTo(OPENED_JSON);

        assertThatThrownBy(() -> codec.decode(bytes(json))).isInstanceOf(UnreadableEntry.class);
    }

    @Test
    void bytes_that_are_no_json_object_are_refused() {
        for (String json : List.of("", "null", "[]", "17", "\"x\"", "\u0000")) {
            assertThatThrownBy(() -> codec.decode(bytes(json))).isInstanceOf(UnreadableEntry.class);
        }
    }

    @Test
    void an_entry_of_an_older_version_passes_the_upcaster_and_one_of_this_version_does_not() {
        var second = JournalCodec.of(Fact.class, 2, (entry, version) -> {
            assertThat(version).isEqualTo(1);
            entry.put("type", "Opened");
            return entry;
        });
        String older = OPENED_JSON.replace("\"type\":\"Opened\"", "\"type\":\"Begun\"");

        assertThat(second.decode(bytes(older))).isEqualTo(new Entry.Happened<Fact>(OPENED, META));
        assertThat(text(second.encode(new Entry.Happened<>(OPENED, META)))).startsWith("{\"v\":2,");
        assertThatThrownBy(() -> second.decode(bytes(older.replace("\"v\":1", "\"v\":2"))))
                .isInstanceOf(UnreadableEntry.class);
    }

    @Test
    void an_optional_component_may_have_been_unknown_when_it_was_written() {
        var entry = (Entry.Happened<Fact>) codec.decode(bytes(OPENED_JSON));
        assertThat(((Fact.Opened) entry.event()).note()).isEmpty();
    }

    sealed interface Clash {
        record A(int x) implements Clash {}

        sealed interface Inner extends Clash {}

        final class Other {
            record A(int y) implements Inner {}
        }
    }

    sealed interface Steals {
        record EffectStalled(String why) implements Steals {}
    }

    sealed interface NoRecord {
        final class Plain implements NoRecord {}
    }

    @Test
    void types_that_could_be_confused_are_refused_at_start() {
        assertThatThrownBy(() -> JournalCodec.of(Clash.class)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JournalCodec.of(Steals.class)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JournalCodec.of(NoRecord.class)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JournalCodec.of(String.class)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_value_of_a_sealed_type_carries_its_name_wherever_it_stands() {
        var prices = JsonCodec.of(Price.class);

        assertThat(text(prices.encode(new Price.Ask()))).isEqualTo("{\"type\":\"Ask\"}");
        assertThat(prices.toTree(new Price.Fixed(7)).toString()).isEqualTo("{\"type\":\"Fixed\",\"minor_units\":7}");
        assertThat(prices.decode(prices.toTree(new Price.Fixed(7)))).isEqualTo(new Price.Fixed(7));
        assertThat(prices.decode(prices.encode(new Price.Ask()))).isEqualTo(new Price.Ask());
    }

    @Test
    void every_character_survives() {
        Fact fact = new Fact.Opened(
                new Id("é \u0000 \uD83D\uDE00 \" \\ \u2028"),
                Long.MIN_VALUE,
                Grade.BAD,
                new Price.Ask(),
                List.of(),
                Map.of(),
                Instant.EPOCH,
                LocalDate.EPOCH,
                Optional.of(""),
                false);
        assertThat(codec.decode(codec.encode(new Entry.Happened<>(fact, META))))
                .isEqualTo(new Entry.Happened<>(fact, META));
    }
}
