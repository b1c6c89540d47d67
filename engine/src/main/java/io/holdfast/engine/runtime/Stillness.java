package io.holdfast.engine.runtime;

import java.time.Duration;

/**
 * Whether a node may answer from memory. One that stood still for long, as a machine does that is suspended, goes on as if nothing had been, while
 * others have taken its entities over and moved them. What it writes the journal refuses; what it merely tells nobody would. So after a pause
 * that was long enough to be replaced in it is in doubt for a while, until it must have heard that it was, and answers nobody.
 */
final class Stillness {

    private final long limit;
    private final long doubt;
    private volatile long last;
    private volatile long doubtUntil;

    /**
     * In the time of a clock that goes on while the process stands still.
     *
     * @param limit a shorter pause is none
     * @param doubt how long it is in doubt after one
     * @param now the time it begins at
     */
    Stillness(Duration limit, Duration doubt, long now) {
        this.limit = limit.toNanos();
        this.doubt = doubt.toNanos();
        this.last = now;
        this.doubtUntil = now;
    }

    /** Notes that it is alive now; to be called much more often than the limit, by one thread. */
    void alive(long now) {
        if (now - last > limit) {
            doubtUntil = now + doubt; // before the other: whoever sees that it goes on sees this, too
        }
        last = now;
    }

    /** Whether it is in doubt, also if nobody has noted since it goes on. Costs next to nothing: every message asks. */
    boolean inDoubt(long now) {
        return now - last > limit || doubtUntil - now > 0;
    }
}
