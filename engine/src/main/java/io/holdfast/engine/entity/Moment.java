package io.holdfast.engine.entity;

import java.time.Instant;
import java.util.Objects;

/**
 * When an input arrives, on two clocks. The wall clock is for what is journaled and for moments named by data; it may jump. Time-outs,
 * back-off and patience are measured on the other, which only runs forward, so that a jump neither cuts them short nor stretches them.
 *
 * @param now wall clock
 * @param millis monotonic milliseconds since an arbitrary origin, the same for all inputs of one {@link EntityCore}
 */
public record Moment(Instant now, long millis) {
    public Moment {
        Objects.requireNonNull(now);
    }
}
