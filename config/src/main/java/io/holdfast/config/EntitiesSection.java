package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.entities}.
 *
 * @param shards per machine
 * @param waiting callers one entity keeps waiting
 * @param outstanding commands this node waits for, per machine
 * @param recoveries entities reading their journals at a time
 * @param resting entities of a machine that rest in a node's memory
 * @param linger in memory after last needed, if it will be woken
 * @param lingerAtRest the same, if it owes nothing
 * @param wakeHorizon wake-ups nearer than this are waited for in memory
 * @param restartFirst wait after a failed journal write, at first
 * @param restartLongest the same, at most
 */
public record EntitiesSection(
        int shards,
        int waiting,
        int outstanding,
        int recoveries,
        int resting,
        Duration linger,
        Duration lingerAtRest,
        Duration wakeHorizon,
        Duration restartFirst,
        Duration restartLongest) {

    static EntitiesSection read(SettingsReader reader) {
        Duration hour = Duration.ofHours(1);
        var section = new EntitiesSection(
                reader.integer("shards", 1, 10_000),
                reader.integer("waiting", 1, 100_000),
                reader.integer("outstanding", 1, 1_000_000),
                reader.integer("recoveries", 1, 100_000),
                reader.integer("resting", 1, 10_000_000),
                reader.duration("linger", Duration.ZERO, hour),
                reader.duration("linger-at-rest", Duration.ZERO, hour),
                reader.duration("wake-horizon", Duration.ofSeconds(1), hour),
                reader.duration("restart-first", Duration.ofMillis(10), Duration.ofMinutes(10)),
                reader.duration("restart-longest", Duration.ofMillis(10), Duration.ofMinutes(10)));
        reader.atLeast("restart-longest", section.restartLongest(), "restart-first", section.restartFirst());
        return section;
    }
}
