package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.PoolId;

/** Told what the turn of the days does. For metrics and tests; must be quick and not throw. */
public interface DayListener {

    /** What is done to a pool of a day. */
    enum Step {
        PREPARE,
        CLOSE,
        ARCHIVE
    }

    /** Hears nothing. */
    DayListener NONE = new DayListener() {};

    /** It was done, or was done already. */
    default void done(Step step, PoolId pool) {}

    /** It was not done yet and is tried again. */
    default void notDone(Step step, PoolId pool, String why) {}

    /** All there was to do now has been tried. */
    default void passed() {}

    /** The work failed as a whole and begins again. */
    default void failed(Throwable failure) {}
}
