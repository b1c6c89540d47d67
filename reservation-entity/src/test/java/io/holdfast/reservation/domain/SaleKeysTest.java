package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SaleKeysTest {

    private static final SaleKeys KEYS = new SaleKeys(Map.of(1, bytes(0x11), 2, bytes(0x22)));

    private static byte[] bytes(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Worked out with another program. If one of these changes, a repeated request becomes a second one. */
    @Test
    void ids_are_the_first_half_of_the_keyed_digest_and_never_change() {
        assertThat(KEYS.reservation(1, "spring", "phone", "ann", "q1")).isEqualTo("8ced73660b864d5b8352084950e45ef7");
        assertThat(KEYS.reservation(2, "spring", "phone", "ann", "q1")).isEqualTo("6d82bbf939b3e87f3ed13c3ffbd3f43f");
        assertThat(KEYS.message(1, "ORDER_CREATE_REQUESTED", "8ced73660b864d5b8352084950e45ef7", 1))
                .isEqualTo("efc53e6807f4f24af5780fd0f6518baa");
    }

    @Test
    void another_activity_item_user_request_version_message_or_schema_is_another_id() {
        Set<String> ids = new HashSet<>(List.of(
                KEYS.reservation(1, "a", "b", "c", "d"),
                KEYS.reservation(2, "a", "b", "c", "d"),
                KEYS.reservation(1, "x", "b", "c", "d"),
                KEYS.reservation(1, "a", "x", "c", "d"),
                KEYS.reservation(1, "a", "b", "x", "d"),
                KEYS.reservation(1, "a", "b", "c", "x"),
                KEYS.reservation(1, "ab", "b", "c", "d"),
                KEYS.reservation(1, "A", "b", "c", "d"),
                KEYS.message(1, "M", "r", 1),
                KEYS.message(2, "M", "r", 1),
                KEYS.message(1, "N", "r", 1),
                KEYS.message(1, "M", "s", 1),
                KEYS.message(1, "M", "r", 2)));
        assertThat(ids).hasSize(13);
    }

    @Test
    void parts_that_could_run_into_each_other_are_refused() {
        for (String bad : List.of("", "a|b", "a:b", "a b", "x".repeat(65))) {
            assertThatThrownBy(() -> KEYS.reservation(1, bad, "b", "c", "d")).hasMessageStartingWith("activity");
            assertThatThrownBy(() -> KEYS.reservation(1, "a", bad, "c", "d")).hasMessageStartingWith("sku");
            assertThatThrownBy(() -> KEYS.reservation(1, "a", "b", bad, "d")).hasMessageStartingWith("user");
            assertThatThrownBy(() -> KEYS.reservation(1, "a", "b", "c", bad)).hasMessageStartingWith("request");
        }
    }

    @Test
    void the_newest_version_is_the_highest_and_what_is_missing_is_named() {
        assertThat(KEYS.newest()).contains(2);
        assertThat(KEYS.missing(List.of(3, 1, 9, 2))).containsExactly(3, 9);
        assertThat(KEYS.missing(List.of())).isEmpty();
        assertThatThrownBy(() -> KEYS.reservation(3, "a", "b", "c", "d")).hasMessage("there is no secret of version 3");
        assertThat(new SaleKeys(Map.of()).newest()).isEmpty();
    }

    @Test
    void secrets_stay_out_of_what_is_printed() {
        assertThat(KEYS.toString()).isEqualTo("SaleKeys[1, 2]");
    }
}
