package io.holdfast.compensation.domain;

import io.holdfast.reservation.domain.Resolution.Ending;

/** How a compensation goes on that waited for a person. */
public sealed interface Resolution {

    /** The script is asked again, under the same key: whatever stood against it is out of the way. */
    record Again() implements Resolution {}

    /**
     * Nothing moves: Redis is right as it is, and the reservation has ended like this.
     *
     * @param ending how
     */
    record StandAs(Ending ending) implements Resolution {}
}
