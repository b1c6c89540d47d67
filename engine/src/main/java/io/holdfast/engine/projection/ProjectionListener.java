package io.holdfast.engine.projection;

import java.util.List;

/** Told what a runner does, on the runner's thread, after it is committed. For metrics and tests; must be quick and not throw. */
public interface ProjectionListener {

    /** Hears nothing. */
    ProjectionListener NONE = new ProjectionListener() {};

    /** These slices of the projection are this worker's from now on; none, when it stands by. */
    default void holds(String projection, List<Slices> slices) {}

    /**
     * The offset has moved.
     *
     * @param handled events handled since the last call
     * @param passedOver events not handled because their entity is parked
     */
    default void advanced(String projection, int handled, int passedOver) {}

    /** An entity was set aside. */
    default void parked(ParkedEntity entity) {}

    /** A parked entity has caught up with its projection. */
    default void unparked(String projection, String persistenceId) {}

    /** Everything was forgotten, and is read again from the beginning. */
    default void rebuilding(String projection, List<Slices> slices) {}

    /** The database, or the projection as a whole, failed: it begins again after a back-off. Nothing is lost. */
    default void failed(String projection, Throwable failure) {}
}
