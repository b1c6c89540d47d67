package io.holdfast.engine.projection;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;

/**
 * Limits of one projection's runner.
 *
 * @param batchRows most events handled in one transaction, or under way to the outside; more is cheaper per event, and more work is lost and
 *     repeated when one fails
 * @param gather least time from the beginning of one batch to the next, unless more is waiting than one holds: events that come close
 *     together share a transaction, and what supersedes each other costs nothing. More while many come: see {@link #rest}
 * @param pollLongest how long a reader sleeps when nobody rings
 * @param workers loops of one projection on one node, each with a session of its own
 * @param rowAttempts how often an event is tried, alone, before its entity is parked
 * @param parkedLimit with this many entities parked, the fault is taken not to be theirs: the projection stops at the next one that
 *     fails, and tries it again after a back-off, until it succeeds or somebody acts. Counted by each worker for its slices
 * @param parkedRetry when a parked entity is tried again by itself
 * @param ackTimeout how long a {@link DeliveryHandler} may take for one batch
 */
public record ProjectionSettings(
        int batchRows,
        Duration gather,
        Duration pollLongest,
        int workers,
        int rowAttempts,
        int parkedLimit,
        Backoff parkedRetry,
        Duration ackTimeout) {

    private static final int REST_PER_WORK = 3;
    /** So many events within one beat, and the next is twice as far away. */
    private static final int EVENTS_OF_A_BEAT = 100;

    public ProjectionSettings {
        if (batchRows < 1 || rowAttempts < 1 || parkedLimit < 0) {
            throw new IllegalArgumentException(
                    "projection: at least one row a batch and one attempt, and no negative limit, but " + batchRows
                            + ", " + rowAttempts + " and " + parkedLimit);
        }
        if (gather.isNegative() || pollLongest.compareTo(gather) < 0) {
            throw new IllegalArgumentException(
                    "projection: 0 <= gather <= longest poll, but " + gather + " and " + pollLongest);
        }
        if (workers < 1 || workers > Slices.SHARES) {
            throw new IllegalArgumentException(
                    "projection: 1 to " + Slices.SHARES + " workers on a node, but " + workers);
        }
        if (!ackTimeout.isPositive()) {
            throw new IllegalArgumentException("projection: acknowledgement within more than 0, but " + ackTimeout);
        }
    }

    /**
     * How long a reader rests after a batch, however many events it hears of meanwhile. The more events come, the further apart are its
     * batches, up to the longest poll; and where a batch takes long, it rests three times as long, up to that again. So a projection leaves
     * three quarters of a core to those that sell, one whose entities are not among the many costs next to nothing, and most of
     * what happens to an entity is in one batch.
     *
     * @param spent what the batch took
     * @param events how many it had
     */
    Duration rest(Duration spent, int events) {
        Duration beat = least(gather.multipliedBy(1 + events / EVENTS_OF_A_BEAT), pollLongest);
        Duration fair = least(spent.multipliedBy(REST_PER_WORK), pollLongest);
        Duration left = beat.minus(spent);
        return left.compareTo(fair) < 0 ? fair : left;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** 4,000 events a batch, 50 ms apart, polls of 200 ms, one worker, three attempts, 1,000 parked, retried after 30 s up to 1 h, 30 s. */
    public static ProjectionSettings standard() {
        return new ProjectionSettings(
                4000,
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                1,
                3,
                1000,
                new Backoff(Duration.ofSeconds(30), Duration.ofHours(1), 2, 0.2),
                Duration.ofSeconds(30));
    }
}
