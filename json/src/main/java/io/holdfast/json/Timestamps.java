package io.holdfast.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Points in time as RFC 3339 writes them. */
public final class Timestamps {

    /** The syntax, for people. */
    public static final String SYNTAX =
            "an RFC 3339 timestamp with its offset and at most microseconds, such as 2026-11-29T18:30:00+08:00, from"
                    + " 2000 to 2199";

    private static final Pattern SHAPE = Pattern.compile(
            "2[01]\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})",
            Pattern.CASE_INSENSITIVE);

    private Timestamps() {}

    /** The instant, unless the text is anything but such a timestamp or a day that does not exist. */
    public static Optional<Instant> parse(String text) {
        if (text.length() > 40 || !SHAPE.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
