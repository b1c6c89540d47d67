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

    /** Whether it holds, without the words for what was found: asked often until it does. */
    default boolean holds() {
        try {
            check();
            return true;
        } catch (AssertionError _) {
            return false;
        }
    }
}
