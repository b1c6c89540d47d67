package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.projections}.
 *
 * @param batch events in one transaction
 * @param pollLongest sleep of a reader when nothing comes
 */
public record ProjectionsSection(int batch, Duration pollLongest) {

    static ProjectionsSection read(SettingsReader reader) {
        return new ProjectionsSection(
                reader.integer("batch", 1, 10_000),
                reader.duration("poll-longest", Duration.ofMillis(10), Duration.ofMinutes(1)));
    }
}
