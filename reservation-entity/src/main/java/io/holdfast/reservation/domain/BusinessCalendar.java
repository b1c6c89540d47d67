package io.holdfast.reservation.domain;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * How a merchant's time is cut into business days: at midnight by the clock on its wall. A day may have 23, 24 or 25 hours, or another
 * number; where midnight is left out, as on the day the clocks go forward in some countries, it begins with the first moment that is there,
 * and where midnight comes twice, with the first of the two.
 *
 * @param zone the merchant's time zone
 */
public record BusinessCalendar(ZoneId zone) {

    /** The business day this moment belongs to. */
    public LocalDate dayAt(Instant moment) {
        return LocalDate.ofInstant(moment, zone);
    }

    /** The first moment of a business day. */
    public Instant startOf(LocalDate day) {
        return day.atStartOfDay(zone).toInstant();
    }

    /** The first moment that no longer belongs to a business day. */
    public Instant endOf(LocalDate day) {
        return startOf(day.plusDays(1));
    }
}
