package io.holdfast.engine.sweep;

import java.time.Duration;

/** Rings later, on this node, unless the node ends before. Thousands may be set at a time, so each must be cheap. */
@FunctionalInterface
public interface Timer {

    /** Runs the action, which must not block, once after this delay. Lost with the node. */
    void after(Duration delay, Runnable action);
}
