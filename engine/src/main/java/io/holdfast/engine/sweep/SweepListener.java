package io.holdfast.engine.sweep;

/** Told what the sweeper does. For metrics and tests; must be quick and not throw. */
public interface SweepListener {

    /** Hears nothing. */
    SweepListener NONE = new SweepListener() {};

    /** A pass over everything that was due has ended. */
    default void passed(int woken) {}

    /** An entity could not be asked; it is asked again in the next pass. */
    default void notWoken(String machine, String entityId, RuntimeException failure) {}

    /** The sweeper failed as a whole and begins again. */
    default void failed(Throwable failure) {}
}
