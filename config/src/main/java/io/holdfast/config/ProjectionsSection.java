package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.projections}.
 *
 * @param batch events in one transaction
 * @param gather from the beginning of one batch to the next
 * @param pollLongest sleep of a reader when nobody rings
 * @param workers of one projection on this node
 * @param ledgerMonthsAhead months for which the ledger has partitions beforehand
 */
public record ProjectionsSection(int batch, Duration gather, Duration pollLongest, int workers, int ledgerMonthsAhead) {

    static ProjectionsSection read(SettingsReader reader) {
        var section = new ProjectionsSection(
                reader.integer("batch", 1, 100_000),
                reader.duration("gather", Duration.ZERO, Duration.ofSeconds(10)),
                reader.duration("poll-longest", Duration.ofMillis(10), Duration.ofMinutes(1)),
                reader.integer("workers", 1, 8),
                reader.integer("ledger-months-ahead", 0, 120));
        reader.atLeast("poll-longest", section.pollLongest(), "gather", section.gather());
        return section;
    }
}
