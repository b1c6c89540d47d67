package io.holdfast.engine.effect;

/**
 * Something a state owes the outside world, as data. Performing it twice must move things once: whoever performs it passes
 * {@link #operationId()} on.
 */
public interface Effect {

    /** Identity of the operation: a pure function of the state, the same on every attempt and every node. */
    String operationId();

    /** Kind of effect, for people and metrics (few values, no ids). */
    String name();

    /** How long one attempt may take, how it is repeated, and what happens when it keeps failing. */
    RetryPolicy retry();
}
