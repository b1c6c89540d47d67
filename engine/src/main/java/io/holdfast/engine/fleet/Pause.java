package io.holdfast.engine.fleet;

import java.time.Duration;

/**
 * How long a loop waits before its next round.
 *
 * @param least whatever happens, unless the loop is stopped
 * @param most if nobody rings; no shorter than {@code least} has a meaning
 */
public record Pause(Duration least, Duration most) {

    /** Goes on at once. */
    public static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO);

    /** Waits exactly so long. */
    public static Pause of(Duration length) {
        return new Pause(length, length);
    }
}
