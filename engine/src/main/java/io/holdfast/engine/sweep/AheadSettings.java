package io.holdfast.engine.sweep;

import java.time.Duration;

/**
 * Limits of waking ahead of time.
 *
 * @param window entities whose time comes within this are given a timer
 * @param interval time between the starts of two passes over the window
 * @param lead how long before its time an entity is woken at most, and half of it at least: what reading its journal may take. The entity
 *     then waits in memory, so this must not exceed the horizon within which it does
 * @param most timers one node keeps; those that do not fit are planned as others ring
 * @param batch most entities read at once
 */
public record AheadSettings(Duration window, Duration interval, Duration lead, int most, int batch) {

    public AheadSettings {
        if (interval.toMillis() < 1 || lead.isNegative() || most < 1 || batch < 1) {
            throw new IllegalArgumentException("wake-ups ahead: lead of 0 or more, the rest positive, but interval "
                    + interval + ", lead " + lead + ", most " + most + ", batch " + batch);
        }
        if (window.compareTo(interval.plus(lead)) < 0) {
            throw new IllegalArgumentException("wake-ups ahead: the window must be at least interval and lead together,"
                    + " or one that comes between two passes is planned too late, but " + window + " < " + interval
                    + " + " + lead);
        }
    }

    /** A minute ahead, every 20 s, woken 5 s early at most, 100,000 timers, 500 at once. */
    public static AheadSettings standard() {
        return new AheadSettings(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(5), 100_000, 500);
    }
}
