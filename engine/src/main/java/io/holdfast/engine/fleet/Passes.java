package io.holdfast.engine.fleet;

import java.time.Duration;
import java.util.Optional;

/** The beat of {@link FleetWork} that goes over everything again and again: a pass begins no sooner than an interval after the last began. */
public final class Passes {

    private final Duration interval;
    private Optional<Long> began = Optional.empty();

    /** @param interval from the beginning of one pass to the next */
    public Passes(Duration interval) {
        this.interval = interval;
    }

    /** One begins now. */
    public void begin() {
        began = Optional.of(System.nanoTime());
    }

    /** How long until the next may begin; zero when it may. */
    public Duration untilNext() {
        if (began.isEmpty()) {
            return Duration.ZERO;
        }
        Duration left = interval.minusNanos(System.nanoTime() - began.get());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
