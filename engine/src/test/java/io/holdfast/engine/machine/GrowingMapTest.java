package io.holdfast.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GrowingMapTest {

    private static GrowingMap<String> of(int entries) {
        GrowingMap<String> map = GrowingMap.empty();
        for (int i = 0; i < entries; i++) {
            map = map.with("key-" + i, "value-" + i);
        }
        return map;
    }

    @Test
    void after_every_addition_they_are_the_map_of_all_so_far_in_order_of_arrival() {
        Map<String, String> all = new LinkedHashMap<>();
        GrowingMap<String> map = GrowingMap.empty();
        for (int i = 0; i < 300; i++) {
            all.put("key-" + i, "value-" + i);
            map = map.with("key-" + i, "value-" + i);
            assertThat(map).isEqualTo(all).hasSameHashCodeAs(all).hasSize(i + 1);
            assertThat(map.keySet()).containsExactlyElementsOf(all.keySet());
            assertThat(map.get("key-" + i)).isEqualTo("value-" + i);
            assertThat(map.get("key-0")).isEqualTo("value-0");
            assertThat(map.containsKey("key-" + (i + 1))).isFalse();
        }
    }

    @Test
    void a_key_keeps_its_first_value() {
        GrowingMap<String> map = of(3);
        assertThat(map.with("key-1", "other")).isSameAs(map);
        assertThat(map.get("key-1")).isEqualTo("value-1");
    }

    @Test
    void an_addition_leaves_what_it_was_made_from_as_it_was() {
        GrowingMap<String> ten = of(10);
        GrowingMap<String> one = ten.with("a", "1");
        GrowingMap<String> other = ten.with("b", "2");
        assertThat(ten).isEqualTo(of(10)).doesNotContainKeys("a", "b");
        assertThat(one).hasSize(11).doesNotContainKey("b");
        assertThat(other).hasSize(11).doesNotContainKey("a");
    }

    @Test
    void a_copy_of_another_map_has_its_entries_in_its_order_and_one_of_its_own_kind_is_not_copied() {
        Map<String, String> other = new LinkedHashMap<>();
        other.put("z", "1");
        other.put("a", "2");
        GrowingMap<String> copy = GrowingMap.copyOf(other);
        assertThat(copy).isEqualTo(other);
        assertThat(copy.keySet()).containsExactly("z", "a");
        assertThat(GrowingMap.copyOf(copy)).isSameAs(copy);
    }

    @Test
    void thousands_lie_in_few_blocks_so_neither_adding_nor_looking_up_visits_them_all() {
        GrowingMap<String> map = GrowingMap.empty();
        for (int i = 0; i < 20_000; i++) {
            map = map.with("key-" + i, "value-" + i);
            assertThat(map.blocks()).isLessThanOrEqualTo(Integer.SIZE - Integer.numberOfLeadingZeros(i + 1));
        }
    }
}
