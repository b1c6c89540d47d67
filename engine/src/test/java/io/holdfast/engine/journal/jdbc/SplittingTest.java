package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A failure names its seed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SplittingTest {

    private static final int RUNS = 3000;

    @Test
    void whoever_is_to_blame_is_found_alone_and_all_others_go_through_once_and_in_order() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            List<Integer> batch =
                    IntStream.range(0, 1 + random.nextInt(600)).boxed().toList();
            Set<Integer> culprits = new HashSet<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                culprits.add(random.nextInt(batch.size()));
            }
            var left = new Splitting<>(batch);
            List<Integer> through = new ArrayList<>();
            List<Integer> blamed = new ArrayList<>();
            int tries = 0;
            while (!left.isEmpty()) {
                tries++;
                List<Integer> piece = left.first();
                if (piece.stream().noneMatch(culprits::contains)) {
                    through.addAll(piece);
                    left.removeFirst();
                } else if (!left.split()) {
                    blamed.addAll(piece);
                    left.removeFirst();
                }
            }

            assertThat(blamed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(culprits);
            assertThat(through)
                    .as("seed %d", seed)
                    .isEqualTo(batch.stream()
                            .filter(one -> !culprits.contains(one))
                            .toList());
            int depth = 32 - Integer.numberOfLeadingZeros(batch.size());
            assertThat(tries).as("seed %d", seed).isLessThanOrEqualTo(1 + 2 * culprits.size() * depth);
        }
    }

    @Test
    void what_is_taken_out_leaves_the_rest_in_order_and_no_empty_piece() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            List<Integer> batch =
                    IntStream.range(0, 1 + random.nextInt(40)).boxed().toList();
            var left = new Splitting<>(batch);
            for (int i = random.nextInt(5); i > 0; i--) {
                left.split();
            }
            int every = 1 + random.nextInt(4);

            List<Integer> out = left.takeOut(one -> one % every == 0);

            assertThat(out)
                    .as("seed %d", seed)
                    .isEqualTo(batch.stream().filter(one -> one % every == 0).toList());
            List<Integer> rest = new ArrayList<>();
            while (!left.isEmpty()) {
                assertThat(left.first()).isNotEmpty();
                rest.addAll(left.first());
                left.removeFirst();
            }
            assertThat(rest)
                    .as("seed %d", seed)
                    .isEqualTo(batch.stream().filter(one -> one % every != 0).toList());
        }
    }

    @Test
    void a_piece_of_one_is_not_cut() {
        var left = new Splitting<>(List.of("alone"));

        assertThat(left.split()).isFalse();
        assertThat(left.first()).containsExactly("alone");
    }

    @Test
    void a_piece_replaced_by_nothing_is_gone() {
        var left = new Splitting<>(List.of(1, 2, 3, 4));
        left.split();

        left.replaceFirst(List.of());

        assertThat(left.first()).containsExactly(3, 4);
    }
}
