package io.holdfast.engine.fleet;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;

/**
 * Limits of the loops that nodes of a fleet share.
 *
 * @param standby how often a node looks whether there is something for it to take over, or to give up; also how long a take-over takes
 *     at most after a node's connection is gone
 * @param statementTimeout the longest one statement may take, waiting for locks included
 * @param transactionTimeout the longest one transaction may take. Bounds how long a node that froze in the middle holds everybody up
 * @param sessionTimeout after this silence PostgreSQL ends the session of a frozen node, so that another takes over; well above the
 *     longest pause of a healthy JVM, and three times {@code standby} at least
 * @param backoff wait before a failed loop begins again
 */
public record FleetSettings(
        Duration standby,
        Duration statementTimeout,
        Duration transactionTimeout,
        Duration sessionTimeout,
        Backoff backoff) {

    public FleetSettings {
        if (standby.toMillis() < 1
                || statementTimeout.toMillis() < 1
                || transactionTimeout.toMillis() < 1
                || sessionTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("fleet: every duration must be at least 1 ms");
        }
        if (transactionTimeout.compareTo(statementTimeout) < 0) {
            throw new IllegalArgumentException("fleet: a transaction lasts at least as long as a statement, but "
                    + transactionTimeout + " < " + statementTimeout);
        }
        if (sessionTimeout.compareTo(standby.multipliedBy(3)) < 0) {
            throw new IllegalArgumentException("fleet: a session must outlast three looks at what there is to do, but "
                    + sessionTimeout + " < 3 * " + standby);
        }
    }

    /** One second to take over, 10 s a statement, 30 s a transaction or a silence, back-off from 100 ms to 10 s. */
    public static FleetSettings standard() {
        return new FleetSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2));
    }
}
