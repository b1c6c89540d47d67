package io.holdfast.engine.entity;

import java.time.Duration;

/**
 * The bounds an entity keeps.
 *
 * @param maxWaiting callers one entity holds back at a time; one more is refused with TOO_MANY_WAITING, and nothing is changed
 * @param wakeHorizon a wake-up nearer than this is waited for in memory; a later one is left to the sweeper
 * @param wakeAgain a due wake-up that changed nothing is given again after this
 * @param linger how long an entity that will be woken later stays in memory after it was last needed
 * @param lingerAtRest the same for one that owes nothing and never wakes by itself
 */
public record CoreLimits(
        int maxWaiting, Duration wakeHorizon, Duration wakeAgain, Duration linger, Duration lingerAtRest) {

    public CoreLimits {
        if (maxWaiting < 1) {
            throw new IllegalArgumentException(
                    "entity: at least one caller must be able to wait, but the limit is " + maxWaiting);
        }
        if (wakeHorizon.isNegative() || linger.isNegative() || lingerAtRest.isNegative()) {
            throw new IllegalArgumentException("entity: wake horizon and lingers can't be negative");
        }
        if (wakeAgain.isNegative() || wakeAgain.isZero()) {
            throw new IllegalArgumentException(
                    "entity: wake-again must be positive, or a wake-up that changes nothing would spin");
        }
    }

    /** Limits that suit a server. */
    public static CoreLimits defaults() {
        return new CoreLimits(
                64, Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
}
