package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SharedTagsTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "m-1, m-1:soup:2026-07-25, m-1:2026-07-25",
                "m-1, m-1:bread:2026-07-25, m-1:2026-07-25",
                "m-1, m-1:soup:2026-07-26, m-1:2026-07-26",
                "m-1, m-2:soup:2026-07-25, -",
                "*, m-2:soup:2026-07-25, m-2:2026-07-25",
                // A sale has no day, so there is nothing to share.
                "*, summer:sku-1, -",
                "*, summer:sku-1:b0, -",
                "m-2, m-1:soup:2026-07-25, -"
            })
    void pools_of_one_merchant_and_day_share_a_tag_where_the_merchant_is_named(
            String merchants, String pool, String tag) {
        assertThat(new SharedTags(Set.of(merchants)).of(PoolId.parse(pool))).isEqualTo(Optional.ofNullable(tag));
    }

    @Test
    void none_share_one_unless_it_is_said() {
        assertThat(SharedTags.NONE.of(PoolId.parse("m-1:soup:2026-07-25"))).isEmpty();
    }
}
