package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BucketsTest {

    private static final PoolId FIRST = PoolId.parse("spring:shoes");

    @Test
    void the_shares_come_to_the_total_and_none_is_larger_than_another_by_more_than_one() {
        for (int count : List.of(2, 3, 7, Buckets.MOST)) {
            for (long total : List.of(0L, 1L, 2L, 63L, 64L, 1_000_003L, Ids.LARGEST_QUANTITY)) {
                List<Long> shares = IntStream.range(0, count)
                        .mapToObj(index -> new Buckets(count, index).share(total))
                        .toList();
                assertThat(shares.stream().mapToLong(share -> share).sum()).isEqualTo(total);
                assertThat(shares.getFirst() - shares.getLast()).isBetween(0L, 1L);
            }
        }
    }

    @Test
    void the_first_is_the_pool_of_the_sale_and_the_others_are_numbered() {
        Buckets buckets = new Buckets(3, 1);
        assertThat(buckets.pools(PoolId.parse("spring:shoes:b1")).stream().map(PoolId::value))
                .containsExactly("spring:shoes", "spring:shoes:b1", "spring:shoes:b2");
        assertThat(buckets.at(0).others(FIRST).stream().map(PoolId::value))
                .containsExactly("spring:shoes:b1", "spring:shoes:b2");
        assertThat(buckets.isFirst()).isFalse();
        assertThat(buckets.at(0).isFirst()).isTrue();
        assertThat(Buckets.indexOf(PoolId.parse("spring:shoes:b12"))).isEqualTo(Optional.of(12));
        for (String none : List.of("spring:shoes", "spring:shoes:b0", "spring:shoes:b123", "m:soup:2026-07-25")) {
            assertThat(Buckets.indexOf(PoolId.parse(none))).as(none).isEmpty();
        }
    }

    @Test
    void units_go_only_to_another_pool_of_the_sale() {
        Buckets buckets = new Buckets(2, 0);
        assertThat(buckets.reaches(FIRST, PoolId.parse("spring:shoes:b1"))).isTrue();
        for (String none : List.of("spring:shoes", "spring:shoes:b2", "spring:hats:b1")) {
            assertThat(buckets.reaches(FIRST, PoolId.parse(none))).as(none).isFalse();
        }
    }

    @Test
    void there_are_two_to_sixty_four() {
        for (int count : List.of(-1, 0, 1, 65)) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Buckets(count, 0));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new Buckets(2, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new Buckets(2, -1));
    }

    @Test
    void a_user_belongs_to_one_and_users_spread_over_all() {
        var keys = new SaleKeys(Map.of(1, new byte[] {1}, 2, new byte[] {2}));
        Map<Integer, Long> users = IntStream.range(0, 8_000)
                .mapToObj(user -> keys.bucket(1, "spring", "shoes", "u" + user, 8))
                .collect(Collectors.groupingBy(bucket -> bucket, Collectors.counting()));
        assertThat(users.keySet()).hasSize(8);
        assertThat(users.values()).allSatisfy(count -> assertThat(count).isBetween(800L, 1_200L));
        assertThat(keys.bucket(1, "spring", "shoes", "ann", 8)).isEqualTo(keys.bucket(1, "spring", "shoes", "ann", 8));
        assertThat(IntStream.range(0, 50)
                        .filter(user -> keys.bucket(1, "spring", "shoes", "u" + user, 8)
                                != keys.bucket(2, "spring", "shoes", "u" + user, 8))
                        .count())
                .as("by the secret of the sale")
                .isPositive();
    }
}
