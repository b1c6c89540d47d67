package io.holdfast.testkit.simulation.invariant;

/** A claim about a run. Named by its class. */
@FunctionalInterface
public interface Invariant {

    /**
     * Looks.
     *
     * @throws AssertionError when the claim does not hold, saying what was found
     */
    void check();
}
