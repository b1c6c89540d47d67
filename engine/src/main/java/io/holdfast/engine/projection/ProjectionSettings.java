package io.holdfast.engine.projection;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;

/**
 * Limits of one projection's runner.
 *
 * @param batchRows most events handled in one transaction; more is cheaper per event, and more work is lost and repeated when one fails
 * @param pollShortest wait after a batch that took everything there was
 * @param pollLongest the wait grows up to this while nothing comes: the age at which a quiet system's view shows a new event
 * @param rowAttempts how often an event is tried, alone, before its entity is parked
 * @param parkedLimit with this many entities parked, the fault is taken not to be theirs: the projection stops at the next one that
 *     fails, and tries it again after a back-off, until it succeeds or somebody acts
 * @param parkedRetry when a parked entity is tried again by itself
 */
public record ProjectionSettings(
        int batchRows,
        Duration pollShortest,
        Duration pollLongest,
        int rowAttempts,
        int parkedLimit,
        Backoff parkedRetry) {

    public ProjectionSettings {
        if (batchRows < 1 || rowAttempts < 1 || parkedLimit < 0) {
            throw new IllegalArgumentException(
                    "projection: at least one row a batch and one attempt, and no negative limit, but " + batchRows
                            + ", " + rowAttempts + " and " + parkedLimit);
        }
        if (pollShortest.isNegative() || pollLongest.compareTo(pollShortest) < 0) {
            throw new IllegalArgumentException(
                    "projection: 0 <= shortest <= longest poll, but " + pollShortest + " and " + pollLongest);
        }
    }

    /** 500 events a batch, polls from 10 to 100 ms apart, three attempts, 1,000 parked, retried after 30 s up to 1 h. */
    public static ProjectionSettings standard() {
        return new ProjectionSettings(
                500,
                Duration.ofMillis(10),
                Duration.ofMillis(100),
                3,
                1000,
                new Backoff(Duration.ofSeconds(30), Duration.ofHours(1), 2, 0.2));
    }
}
