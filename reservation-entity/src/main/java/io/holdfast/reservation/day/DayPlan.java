package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.BusinessCalendar;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** What is due when, at a merchant. Values only; the clock is the caller's. */
record DayPlan(DaySettings settings) {

    /** Days whose pools must be there: the one that is, and the next once it is near. */
    List<LocalDate> toPrepare(BusinessCalendar calendar, Instant now) {
        LocalDate today = calendar.dayAt(now);
        List<LocalDate> days = new ArrayList<>(List.of(today));
        Instant ends = calendar.endOf(today);
        if (!now.plus(settings.prepareAhead()).isBefore(ends)) {
            // Not simply the date after: countries have left one out.
            days.add(calendar.dayAt(ends));
        }
        return days;
    }

    /** Whether the pools of this day take no more holds. */
    boolean isToClose(LocalDate day, BusinessCalendar calendar, Instant now) {
        return !now.isBefore(calendar.endOf(day).plus(settings.closeAfter()));
    }

    /** Whether the pools of this day are archived, once drained. */
    boolean isToArchive(LocalDate day, BusinessCalendar calendar, Instant now) {
        return !now.isBefore(calendar.endOf(day).plus(settings.archiveAfter()));
    }
}
