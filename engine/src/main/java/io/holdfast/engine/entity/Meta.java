package io.holdfast.engine.entity;

import io.holdfast.engine.machine.Cause;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What is journaled beside every event.
 *
 * @param at the moment of the decision
 * @param cause who asked, why, and under which trace
 * @param wakeAt when somebody must look at this entity again: {@code at} itself while an effect is owed, the wake-up time of the state
 *     otherwise, empty when it rests. Written by the runtime from {@code owe} of the state after the last event of the decision; the
 *     {@code owed} projection, and through it the sweeper, reads nothing else.
 */
public record Meta(Instant at, Cause cause, Optional<Instant> wakeAt) {
    public Meta {
        Objects.requireNonNull(at);
        Objects.requireNonNull(cause);
        Objects.requireNonNull(wakeAt);
    }
}
