package io.holdfast.engine.sweep;

import java.time.Duration;

/**
 * Limits of the sweeper.
 *
 * @param grace an entity this long past its time has nobody looking after it: longer than an attempt of an effect usually takes, and
 *     than the clocks of the nodes differ. Shorter wakes entities that are at work (harmless, and useless), longer delays those whose
 *     node died
 * @param interval time between the starts of two passes: no entity is woken again sooner, unless what it owes has changed since
 * @param batch most entities read at once
 * @param wakesPerSecond most entities woken a second, so that a restarted fleet is not drowned by its own past
 */
public record SweepSettings(Duration grace, Duration interval, int batch, int wakesPerSecond) {

    public SweepSettings {
        if (grace.isNegative() || interval.toMillis() < 1 || batch < 1 || wakesPerSecond < 1) {
            throw new IllegalArgumentException("sweeper: grace of 0 or more, the rest positive, but grace " + grace
                    + ", interval " + interval + ", batch " + batch + ", wakes per second " + wakesPerSecond);
        }
    }

    /** 10 s grace, a pass every 10 s, 500 at once, 2,000 a second. */
    public static SweepSettings standard() {
        return new SweepSettings(Duration.ofSeconds(10), Duration.ofSeconds(10), 500, 2000);
    }
}
