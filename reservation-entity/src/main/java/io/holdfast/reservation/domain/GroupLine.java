package io.holdfast.reservation.domain;

/**
 * A line of a group.
 *
 * @param pool chosen once, for all lines together
 * @param terms what is asked for
 */
public record GroupLine(PoolId pool, Terms terms) {

    /** Id of its reservation. */
    public String reservationId() {
        return terms.line().reservationId();
    }
}
