package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.sweeper}.
 *
 * @param grace past its time before an entity counts as left behind
 * @param interval between passes
 * @param wakesPerSecond at most
 * @param ahead timers for what comes due soon
 */
public record SweeperSection(Duration grace, Duration interval, int wakesPerSecond, Ahead ahead) {

    /**
     * Timers for what comes due soon.
     *
     * @param window how far ahead they are set
     * @param interval between looks at what comes due
     * @param lead how long before its time an entity is woken
     * @param timers at most, per node
     */
    public record Ahead(Duration window, Duration interval, Duration lead, int timers) {
        static Ahead read(SettingsReader reader) {
            var ahead = new Ahead(
                    reader.duration("window", Duration.ofSeconds(1), Duration.ofHours(1)),
                    reader.duration("interval", Duration.ofMillis(100), Duration.ofHours(1)),
                    reader.duration("lead", Duration.ZERO, Duration.ofMinutes(1)),
                    reader.integer("timers", 1, 10_000_000));
            reader.atLeast(
                    "window",
                    ahead.window(),
                    "interval and lead together",
                    ahead.interval().plus(ahead.lead()));
            return ahead;
        }
    }

    static SweeperSection read(SettingsReader reader) {
        return new SweeperSection(
                reader.duration("grace", Duration.ofSeconds(1), Duration.ofHours(1)),
                reader.duration("interval", Duration.ofSeconds(1), Duration.ofHours(1)),
                reader.integer("wakes-per-second", 1, 100_000),
                Ahead.read(reader.section("ahead")));
    }
}
