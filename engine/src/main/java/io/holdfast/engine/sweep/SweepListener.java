package io.holdfast.engine.sweep;

/** Told what the sweeper does. For metrics and tests; must be quick and not throw. */
public interface SweepListener {

    /** Hears nothing. */
    SweepListener NONE = new SweepListener() {};

    /** A pass over everything that was due has ended. */
    default void passed(int woken) {}

    /** A timer was set for an entity whose time comes soon. */
    default void planned(String machine) {}

    /** An entity could not be asked; it is asked again in the next pass. */
    default void notWoken(String machine, String entityId, RuntimeException failure) {}

    /** The sweeper, or the planning of timers, failed as a whole and begins again. */
    default void failed(Throwable failure) {}
}
