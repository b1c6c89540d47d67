package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BusinessCalendarTest {

    private static BusinessCalendar in(String zone) {
        return new BusinessCalendar(ZoneId.of(zone));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
        # zone                | day        | begins, by its wall and in UTC               | hours
        Europe/Berlin         | 2026-03-28 | 2026-03-28T00:00+01:00 | 2026-03-27T23:00:00Z | 24
        Europe/Berlin         | 2026-03-29 | 2026-03-29T00:00+01:00 | 2026-03-28T23:00:00Z | 23
        Europe/Berlin         | 2026-10-25 | 2026-10-25T00:00+02:00 | 2026-10-24T22:00:00Z | 25
        America/New_York      | 2026-03-08 | 2026-03-08T00:00-05:00 | 2026-03-08T05:00:00Z | 23
        America/New_York      | 2026-11-01 | 2026-11-01T00:00-04:00 | 2026-11-01T04:00:00Z | 25
        Australia/Lord_Howe   | 2026-04-05 | 2026-04-05T00:00+11:00 | 2026-04-04T13:00:00Z | 24.5
        Australia/Lord_Howe   | 2026-10-04 | 2026-10-04T00:00+10:30 | 2026-10-03T13:30:00Z | 23.5
        # the clocks go forward at midnight: the day begins at one
        Asia/Beirut           | 2026-03-29 | 2026-03-29T01:00+03:00 | 2026-03-28T22:00:00Z | 23
        America/Santiago      | 2026-09-06 | 2026-09-06T01:00-03:00 | 2026-09-06T04:00:00Z | 23
        # and back at midnight: the last hour of the day before comes twice
        Asia/Beirut           | 2026-10-24 | 2026-10-24T00:00+03:00 | 2026-10-23T21:00:00Z | 25
        America/Havana        | 2026-11-01 | 2026-11-01T00:00-04:00 | 2026-11-01T04:00:00Z | 25
        Asia/Kathmandu        | 2026-07-26 | 2026-07-26T00:00+05:45 | 2026-07-25T18:15:00Z | 24
        Pacific/Auckland      | 2026-07-26 | 2026-07-26T00:00+12:00 | 2026-07-25T12:00:00Z | 24
        Asia/Shanghai         | 2026-07-26 | 2026-07-26T00:00+08:00 | 2026-07-25T16:00:00Z | 24
        """)
    void a_day_begins_with_its_first_moment_and_lasts_as_long_as_it_lasts(
            String zone, LocalDate day, ZonedDateTime wall, Instant utc, double hours) {
        BusinessCalendar calendar = in(zone);
        assertThat(calendar.startOf(day)).isEqualTo(utc).isEqualTo(wall.toInstant());
        assertThat(Duration.between(calendar.startOf(day), calendar.endOf(day)))
                .isEqualTo(Duration.ofMinutes((long) (hours * 60)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("zones")
    void every_moment_belongs_to_one_day_and_every_day_is_whole(String zone) {
        BusinessCalendar calendar = in(zone);
        LocalDate day = LocalDate.of(2026, 1, 1);
        while (day.getYear() < 2028) {
            Instant begins = calendar.startOf(day);
            Instant ends = calendar.endOf(day);
            assertThat(calendar.dayAt(begins)).isEqualTo(day);
            assertThat(calendar.dayAt(begins.minusNanos(1))).isEqualTo(day.minusDays(1));
            assertThat(calendar.dayAt(ends.minusNanos(1))).isEqualTo(day);
            assertThat(calendar.dayAt(ends)).isEqualTo(day.plusDays(1));
            day = day.plusDays(1);
        }
    }

    static Iterable<String> zones() {
        return ZoneId.getAvailableZoneIds().stream().sorted().toList();
    }

    @Test
    void a_moment_is_cut_by_the_merchants_wall_and_by_nothing_else() {
        Instant evening = Instant.parse("2026-07-25T23:59:59.999Z");
        assertThat(in("UTC").dayAt(evening)).isEqualTo("2026-07-25");
        assertThat(in("UTC").dayAt(evening.plusMillis(1))).isEqualTo("2026-07-26");
        assertThat(in("Asia/Kathmandu").dayAt(evening)).isEqualTo("2026-07-26");
        assertThat(in("America/Los_Angeles").dayAt(evening)).isEqualTo("2026-07-25");
        assertThat(in("Pacific/Apia").dayAt(evening)).isEqualTo("2026-07-26");
    }

    @Test
    void both_times_of_a_doubled_hour_are_of_the_same_day() {
        BusinessCalendar berlin = in("Europe/Berlin");
        assertThat(berlin.dayAt(Instant.parse("2026-10-25T00:30:00Z"))).isEqualTo("2026-10-25");
        assertThat(berlin.dayAt(Instant.parse("2026-10-25T01:30:00Z"))).isEqualTo("2026-10-25");
    }

    @Test
    void a_day_that_a_country_left_out_has_no_length_and_no_moment() {
        BusinessCalendar apia = in("Pacific/Apia");
        LocalDate leftOut = LocalDate.of(2011, 12, 30);
        assertThat(apia.endOf(leftOut)).isEqualTo(apia.startOf(leftOut));
        assertThat(apia.dayAt(apia.endOf(leftOut.minusDays(1)))).isEqualTo("2011-12-31");
    }
}
