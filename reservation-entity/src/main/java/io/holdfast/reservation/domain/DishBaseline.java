package io.holdfast.reservation.domain;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How many units of a dish a merchant sets out to sell, by day. The most particular total counts: that of the date, else of the day of the
 * week, else of every day; where there is none, the dish is not sold that day.
 *
 * @param merchant whose dish
 * @param dish which
 * @param everyDay total of days that are not named otherwise
 * @param weekdays totals of days of the week
 * @param days totals of dates
 */
public record DishBaseline(
        String merchant, String dish, OptionalLong everyDay, Map<DayOfWeek, Long> weekdays, Map<LocalDate, Long> days) {

    /** @throws IllegalArgumentException if an id breaks the rule of ids, or a total is not 0 to 2^53 - 1 */
    public DishBaseline {
        Ids.part("merchant", merchant);
        Ids.part("dish", dish);
        everyDay.ifPresent(total -> Ids.notNegative("every_day", total));
        weekdays = Map.copyOf(weekdays);
        days = Map.copyOf(days);
        weekdays.forEach((day, total) -> Ids.notNegative(day.name(), total));
        days.forEach((day, total) -> Ids.notNegative(day.toString(), total));
    }

    /** Units on this day; empty when the dish is not sold. */
    public OptionalLong totalOn(LocalDate day) {
        Long dated = days.get(day);
        if (dated != null) {
            return OptionalLong.of(dated);
        }
        Long weekly = weekdays.get(day.getDayOfWeek());
        return weekly != null ? OptionalLong.of(weekly) : everyDay;
    }

    /** The pool of this dish on a day. */
    public PoolId poolOn(LocalDate day) {
        return PoolId.ofDay(merchant, dish, day);
    }
}
