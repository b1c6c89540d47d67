package io.holdfast.reservation.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KeysetTest {

    private record Entry(Instant at, long number, String id) {}

    private static final Keyset<Entry> ORDER = Keyset.falling(
            "entries",
            new Keyset.Key<>("at", Keyset.Kind.TIME, Entry::at),
            new Keyset.Key<>("number", Keyset.Kind.NUMBER, Entry::number),
            new Keyset.Key<>("id", Keyset.Kind.TEXT, Entry::id));

    @Test
    void a_cursor_names_the_place_of_its_entry() {
        var entry = new Entry(Instant.parse("2026-11-30T10:00:00.123456Z"), 7, "m1:soup");
        String cursor = ORDER.cursor(entry);
        assertThat(cursor).matches("[A-Za-z0-9_-]+");
        assertThat(ORDER.place(cursor))
                .containsExactly(OffsetDateTime.parse("2026-11-30T10:00:00.123456Z"), 7L, "m1:soup");
    }

    @Test
    void a_place_in_one_list_is_none_in_another_whose_order_is_the_same() {
        var entry = new Entry(Instant.parse("2026-11-30T10:00:00Z"), 7, "x");
        var others = new Keyset<>("others", ORDER.keys(), true);
        List<Keyset<Entry>> lists = List.of(ORDER, others, ORDER.of("a"), ORDER.of("b"));
        for (Keyset<Entry> made : lists) {
            for (Keyset<Entry> asked : lists) {
                if (made == asked) {
                    assertThat(asked.place(made.cursor(entry))).hasSize(3);
                } else {
                    assertThatThrownBy(() -> asked.place(made.cursor(entry)))
                            .isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }

    @Test
    void the_order_is_said_in_sql_both_ways() {
        assertThat(ORDER.behind()).isEqualTo("(at, number, id) < (?, ?, ?)");
        assertThat(ORDER.order()).isEqualTo("at desc, number desc, id desc");
        Keyset<Entry> rising = Keyset.rising("ids", new Keyset.Key<>("id", Keyset.Kind.TEXT, Entry::id));
        assertThat(rising.behind()).isEqualTo("(id) > (?)");
        assertThat(rising.order()).isEqualTo("id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "entries",
                "2026-11-30T10:00:00Z 7 x",
                "others 2026-11-30T10:00:00Z 7 x",
                "entries 2026-11-30T10:00:00Z 7",
                "entries yesterday 7 x",
                "entries 2026-11-30T10:00:00Z seven x",
                "entries 2026-11-30T10:00:00Z 7 x y"
            })
    void what_is_no_cursor_of_this_list_is_refused(String place) {
        String made = Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> ORDER.place(made)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ORDER.place("***")).isInstanceOf(IllegalArgumentException.class);
    }
}
