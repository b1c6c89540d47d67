package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.DishBaseline;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Body of {@code PUT /v1/baselines/{merchant}/{dish}}.
 *
 * @param baseline what is set out to be sold, by day
 * @param zone the merchant's time zone, where the caller names it
 * @param expectedVersion the version it is based on, 0 for none, where the caller names one
 */
public record BaselineRequest(DishBaseline baseline, Optional<ZoneId> zone, OptionalLong expectedVersion) {

    private static final int MOST_DAYS = 400;
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern ZONE = Pattern.compile("[A-Za-z][A-Za-z0-9+_-]*(/[A-Za-z0-9+_-]+)*");

    /** Reads a body. */
    public static Parsed<BaselineRequest> parse(String merchant, String dish, ObjectValue body) {
        var fields = new Fields(body);
        var zone = fields.optionalString("zone", BaselineRequest::zone, "a time zone such as Asia/Shanghai");
        var everyDay = fields.optionalInteger("every_day", 0, Fields.MAX_INTEGER);
        var weekdays = fields.optionalIntegers(
                "weekdays", 7, BaselineRequest::weekday, "a day of the week such as MONDAY", 0, Fields.MAX_INTEGER);
        var days = fields.optionalIntegers(
                "days", MOST_DAYS, BaselineRequest::day, "a day that exists, YYYY-MM-DD", 0, Fields.MAX_INTEGER);
        var expected = fields.optionalInteger("expected_version", 0, Fields.MAX_INTEGER);
        if (Stream.of("every_day", "weekdays", "days").noneMatch(fields::has)) {
            fields.fault("every_day", Code.MISSING, "At least one of every_day, weekdays and days must be given.");
        }
        return fields.into(() -> new BaselineRequest(
                new DishBaseline(
                        merchant,
                        dish,
                        optional(everyDay.get()),
                        weekdays.get().orElseGet(Map::of),
                        days.get().orElseGet(Map::of)),
                zone.get(),
                optional(expected.get())));
    }

    /** The same, based on this version. */
    public BaselineRequest basedOn(long version) {
        return new BaselineRequest(baseline, zone, OptionalLong.of(version));
    }

    private static OptionalLong optional(Optional<Long> value) {
        return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    private static Optional<ZoneId> zone(String text) {
        try {
            return ZONE.matcher(text).matches() ? Optional.of(ZoneId.of(text)) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<DayOfWeek> weekday(String text) {
        return Stream.of(DayOfWeek.values())
                .filter(day -> day.name().equals(text))
                .findFirst();
    }

    private static Optional<LocalDate> day(String text) {
        try {
            return DATE.matcher(text).matches() ? Optional.of(LocalDate.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
