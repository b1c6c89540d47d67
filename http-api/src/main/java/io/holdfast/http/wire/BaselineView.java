package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.reservation.day.KeptBaseline;
import io.holdfast.reservation.domain.BusinessCalendar;
import io.holdfast.reservation.domain.DishBaseline;
import io.holdfast.reservation.domain.PoolId;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a merchant sets out to sell of a dish.
 *
 * @param zone by which the merchant's days are told
 * @param everyDay units on days that are not named otherwise
 * @param weekdays units by day of the week
 * @param days units by date
 * @param version counts the changes
 * @param updatedAt when it was changed last
 * @param updatedBy who did
 * @param today what that comes to now
 */
public record BaselineView(
        String merchant,
        String dish,
        String zone,
        OptionalLong everyDay,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> weekdays,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> days,
        long version,
        Instant updatedAt,
        String updatedBy,
        DayView today) {

    /**
     * The merchant's business day now.
     *
     * @param total units set out; absent when the dish is not sold
     * @param begins its first moment
     * @param ends the first moment after it
     */
    public record DayView(
            String businessDay, OptionalLong total, String pool, String poolUrl, Instant begins, Instant ends) {}

    /** The wire form, as of this moment. */
    public static BaselineView of(KeptBaseline kept, BusinessCalendar calendar, Instant now) {
        DishBaseline baseline = kept.baseline();
        Map<String, Long> weekdays = new TreeMap<>();
        baseline.weekdays().forEach((day, total) -> weekdays.put(day.name(), total));
        Map<String, Long> days = new TreeMap<>();
        baseline.days().forEach((day, total) -> days.put(day.toString(), total));
        LocalDate today = calendar.dayAt(now);
        PoolId pool = baseline.poolOn(today);
        return new BaselineView(
                baseline.merchant(),
                baseline.dish(),
                calendar.zone().getId(),
                baseline.everyDay(),
                weekdays,
                days,
                kept.version(),
                kept.updatedAt(),
                kept.updatedBy(),
                new DayView(
                        today.toString(),
                        baseline.totalOn(today),
                        pool.value(),
                        Paths.pool(pool.value()),
                        calendar.startOf(today),
                        calendar.endOf(today)));
    }
}
