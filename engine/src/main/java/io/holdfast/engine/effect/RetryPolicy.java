package io.holdfast.engine.effect;

import java.time.Duration;

/**
 * How an effect is attempted, as data. Applied in one place, the effect supervisor.
 *
 * @param timeout how long one attempt may take before its outcome counts as unknown
 * @param backoff the wait between attempts
 * @param stallAfter after this many failed attempts the effect counts as stalled: recorded in the journal, shown, counted
 * @param afterLimit what happens then
 */
public record RetryPolicy(Duration timeout, Backoff backoff, int stallAfter, AfterLimit afterLimit) {

    /** What happens to an effect that keeps failing past its limit. It is never given up silently: the debt stays in the state. */
    public enum AfterLimit {
        /** Recorded once, then tried on at the longest back-off. */
        RECORD_AND_KEEP_TRYING,
        /** Recorded once, then left until somebody or the sweeper wakes the entity. */
        RECORD_AND_PARK
    }

    public RetryPolicy {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("retry: the time-out must be positive, but is " + timeout);
        }
        if (stallAfter < 1) {
            throw new IllegalArgumentException("retry: stall-after must be at least 1, but is " + stallAfter);
        }
    }
}
