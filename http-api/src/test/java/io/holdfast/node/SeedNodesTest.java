package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.pekko.actor.Address;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SeedNodesTest {

    private static final Address A = new Address("pekko", "fleet", "10.0.0.1", 7355);
    private static final Address B = new Address("pekko", "fleet", "10.0.0.2", 7355);
    private static final Address C = new Address("pekko", "fleet", "10.0.0.3", 7355);
    private static final List<Address> ALL = List.of(A, B, C);

    @Test
    void the_first_forms_a_cluster_only_where_no_other_node_serves() {
        assertThat(new SeedNodes(ALL, A).order(() -> false)).isEqualTo(ALL);
        assertThat(new SeedNodes(ALL, A).order(() -> true)).containsExactly(B, C, A);
    }

    @Test
    void the_others_ask_in_the_order_of_the_settings_whoever_serves() {
        for (Address other : List.of(B, C)) {
            assertThat(new SeedNodes(ALL, other).order(() -> true)).isEqualTo(ALL);
            assertThat(new SeedNodes(ALL, other).order(() -> false)).isEqualTo(ALL);
        }
    }

    @Test
    void the_only_one_forms_its_own_and_one_without_any_only_where_no_other_node_serves() {
        assertThat(new SeedNodes(List.of(A), A).order(() -> true)).containsExactly(A);
        assertThat(new SeedNodes(List.of(), A).order(() -> false)).containsExactly(A);
        assertThat(new SeedNodes(List.of(), A).order(() -> true)).isEmpty();
    }
}
