package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.reservation}.
 *
 * @param attentionAfter wait for news of an order before it is reported as overdue
 * @param attemptTimeout of one script
 * @param retryFirst wait before the second attempt
 * @param retryLongest the wait grows up to this
 * @param stalledAfter failed attempts
 * @param verifyTimeout of one comparison of a pool with the journals
 * @param verifyAgainAfter wait after one that found differences
 */
public record ReservationSection(
        Duration attentionAfter,
        Duration attemptTimeout,
        Duration retryFirst,
        Duration retryLongest,
        int stalledAfter,
        Duration verifyTimeout,
        Duration verifyAgainAfter) {

    static ReservationSection read(SettingsReader reader) {
        var section = new ReservationSection(
                reader.duration("attention-after", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.duration("attempt-timeout", Duration.ofMillis(50), Duration.ofMinutes(1)),
                reader.duration("retry-first", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.duration("retry-longest", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.integer("stalled-after", 1, 1000),
                reader.duration("verify-timeout", Duration.ofSeconds(1), Duration.ofHours(6)),
                reader.duration("verify-again-after", Duration.ofSeconds(1), Duration.ofHours(6)));
        reader.atLeast("retry-longest", section.retryLongest(), "retry-first", section.retryFirst());
        return section;
    }
}
