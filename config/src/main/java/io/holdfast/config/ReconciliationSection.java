package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.reconciliation}.
 *
 * @param every from the beginning of one run by itself to the next; zero: none
 * @param fullEvery how often one looks at every reservation
 * @param mode whether those repair what may be repaired
 * @param margin safety beside what is measured before something is judged
 * @param poolsAtOnce compared at a time
 * @param reservationsPerSecond compared at most
 * @param repairsPerSecond made at most
 * @param mostFindings of one pool, named one by one
 * @param keep how long runs and findings are kept
 */
public record ReconciliationSection(
        Duration every,
        Duration fullEvery,
        Mode mode,
        Duration margin,
        int poolsAtOnce,
        int reservationsPerSecond,
        int repairsPerSecond,
        int mostFindings,
        Duration keep) {

    /** What a run does that nobody asked for. */
    public enum Mode {
        /** Says what it finds. */
        DRY_RUN,
        /** Repairs what may be repaired, too. */
        REPAIR
    }

    static ReconciliationSection read(SettingsReader reader) {
        var section = new ReconciliationSection(
                reader.duration("every", Duration.ZERO, Duration.ofDays(30)),
                reader.duration("full-every", Duration.ofSeconds(1), Duration.ofDays(365)),
                reader.choice("mode", Mode.class),
                reader.duration("margin", Duration.ZERO, Duration.ofHours(1)),
                reader.integer("pools-at-once", 1, 64),
                reader.integer("reservations-per-second", 1, 1_000_000),
                reader.integer("repairs-per-second", 1, 10_000),
                reader.integer("most-findings", 1, 100_000),
                reader.duration("keep", Duration.ofMinutes(1), Duration.ofDays(3650)));
        reader.atLeast("full-every", section.fullEvery(), "every", section.every());
        return section;
    }
}
