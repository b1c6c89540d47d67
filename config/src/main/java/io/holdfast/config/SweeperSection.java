package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.sweeper}.
 *
 * @param grace past its time before an entity counts as left behind
 * @param interval between passes
 * @param wakesPerSecond at most
 */
public record SweeperSection(Duration grace, Duration interval, int wakesPerSecond) {

    static SweeperSection read(SettingsReader reader) {
        return new SweeperSection(
                reader.duration("grace", Duration.ofSeconds(1), Duration.ofHours(1)),
                reader.duration("interval", Duration.ofSeconds(1), Duration.ofHours(1)),
                reader.integer("wakes-per-second", 1, 100_000));
    }
}
