package io.holdfast.it;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A wall clock that goes on like the machine's, from wherever it was set. */
final class MovableClock implements InstantSource {

    private volatile Duration ahead = Duration.ZERO;

    static MovableClock at(Instant moment) {
        var clock = new MovableClock();
        clock.set(moment);
        return clock;
    }

    void set(Instant moment) {
        ahead = Duration.between(Instant.now(), moment);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }
}
