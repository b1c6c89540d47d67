package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.streams}.
 *
 * @param most open at a time
 * @param heartbeat of a stream on which nothing happens
 * @param stall how long a caller may take nothing
 * @param longest life of one stream
 */
public record StreamsSection(int most, Duration heartbeat, Duration stall, Duration longest) {

    static StreamsSection read(SettingsReader reader) {
        var section = new StreamsSection(
                reader.integer("most", 1, 100_000),
                reader.duration("heartbeat", Duration.ofMillis(100), Duration.ofSeconds(30)),
                reader.duration("stall", Duration.ofMillis(100), Duration.ofMinutes(5)),
                reader.duration("longest", Duration.ofSeconds(1), Duration.ofHours(24)));
        reader.atLeast("longest", section.longest(), "heartbeat", section.heartbeat());
        return section;
    }
}
