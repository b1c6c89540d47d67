package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DishBaselineTest {

    private static final LocalDate SATURDAY = LocalDate.of(2026, 7, 25);

    private final DishBaseline soup = new DishBaseline(
            "m-1",
            "soup",
            OptionalLong.of(100),
            Map.of(DayOfWeek.SATURDAY, 150L, DayOfWeek.SUNDAY, 0L),
            Map.of(SATURDAY.plusDays(7), 20L));

    @Test
    void the_most_particular_total_counts() {
        assertThat(soup.totalOn(SATURDAY.minusDays(1))).hasValue(100);
        assertThat(soup.totalOn(SATURDAY)).hasValue(150);
        assertThat(soup.totalOn(SATURDAY.plusDays(1)))
                .as("a total of none is a total")
                .hasValue(0);
        assertThat(soup.totalOn(SATURDAY.plusDays(7))).hasValue(20);
        assertThat(soup.totalOn(SATURDAY.plusDays(14))).hasValue(150);
    }

    @Test
    void on_a_day_without_a_total_the_dish_is_not_sold() {
        var weekends =
                new DishBaseline("m-1", "soup", OptionalLong.empty(), Map.of(DayOfWeek.SATURDAY, 150L), Map.of());
        assertThat(weekends.totalOn(SATURDAY)).hasValue(150);
        assertThat(weekends.totalOn(SATURDAY.plusDays(2))).isEmpty();
    }

    @Test
    void its_pool_of_a_day_is_that_of_merchant_dish_and_day() {
        assertThat(soup.poolOn(SATURDAY)).isEqualTo(PoolId.parse("m-1:soup:2026-07-25"));
        assertThat(soup.poolOn(SATURDAY).day()).contains(SATURDAY);
        assertThat(PoolId.parse("sale:phone").day()).isEmpty();
        assertThat(PoolId.parse("sale:phone:b3").day()).isEmpty();
    }

    @Test
    void totals_and_ids_out_of_range_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DishBaseline("m 1", "soup", OptionalLong.of(1), Map.of(), Map.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DishBaseline("m", "soup", OptionalLong.of(-1), Map.of(), Map.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DishBaseline(
                        "m", "soup", OptionalLong.empty(), Map.of(DayOfWeek.MONDAY, 1L << 53), Map.of()));
    }
}
