package io.holdfast.client;

import java.time.Duration;

/**
 * A moment by the clock that only goes forward.
 *
 * @param nanos of {@link System#nanoTime()}
 */
record Deadline(long nanos) {

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean isOver() {
        return left().isZero();
    }
}
