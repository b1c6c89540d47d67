package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.days}.
 *
 * @param prepareAhead before a business day begins
 * @param closeAfter after it is over
 * @param archiveAfter after it is over
 * @param archiveAgain wait before a pool that was not drained is looked at again
 * @param keepArchived how long keys of an archived pool stay in Redis
 * @param interval between looks at what is to be done
 */
public record DaysSection(
        Duration prepareAhead,
        Duration closeAfter,
        Duration archiveAfter,
        Duration archiveAgain,
        Duration keepArchived,
        Duration interval) {

    static DaysSection read(SettingsReader reader) {
        var section = new DaysSection(
                reader.duration("prepare-ahead", Duration.ZERO, Duration.ofHours(12)),
                reader.duration("close-after", Duration.ZERO, Duration.ofDays(30)),
                reader.duration("archive-after", Duration.ZERO, Duration.ofDays(3650)),
                reader.duration("archive-again", Duration.ofSeconds(1), Duration.ofDays(1)),
                reader.duration("keep-archived", Duration.ofMinutes(1), Duration.ofDays(3650)),
                reader.duration("interval", Duration.ofMillis(100), Duration.ofHours(1)));
        reader.atLeast("archive-after", section.archiveAfter(), "close-after", section.closeAfter());
        return section;
    }
}
