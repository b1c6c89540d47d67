package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.postgres.journal}: how the write side writes.
 *
 * @param dao who writes
 * @param writers connections that write
 * @param batchRows most rows in one statement
 * @param queue most writes that wait for a statement
 * @param statementTimeout of one statement
 * @param writeDeadline after which whoever waits for a write is told in any case
 * @param notifyInterval least time between two notifications of other nodes
 */
public record JournalSection(
        Dao dao,
        int writers,
        int batchRows,
        int queue,
        Duration statementTimeout,
        Duration writeDeadline,
        Duration notifyInterval) {

    /** Who writes journals. */
    public enum Dao {
        /** Holdfast's own: many entities in one commit, failures kept apart. */
        GROUP_COMMIT,
        /** The one of pekko-persistence-jdbc, for comparison. */
        STOCK
    }

    static JournalSection read(SettingsReader reader) {
        var section = new JournalSection(
                reader.choice("dao", Dao.class),
                reader.integer("writers", 1, 2),
                reader.integer("batch-rows", 1, 10_000),
                reader.integer("queue", 1, 1_000_000),
                reader.duration("statement-timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.duration("write-deadline", Duration.ofMillis(200), Duration.ofMinutes(5)),
                reader.duration("notify-interval", Duration.ofMillis(1), Duration.ofMinutes(1)));
        reader.atLeast(
                "write-deadline",
                section.writeDeadline(),
                "twice statement-timeout",
                section.statementTimeout().multipliedBy(2));
        return section;
    }
}
