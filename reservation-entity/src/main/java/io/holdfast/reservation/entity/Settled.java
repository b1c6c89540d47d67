package io.holdfast.reservation.entity;

import io.holdfast.reservation.domain.Reservation;

/**
 * A reservation as it may be compared or loaded, while its pool is frozen.
 *
 * @param reservation told of the freeze, where it owes an operation
 * @param heldByItsGroup whether it owes the Try of a group that is journaled as held: then it is held, although its own journal does not
 *     say so yet
 */
record Settled(Reservation reservation, boolean heldByItsGroup) {

    /** What its own journal says is all there is. */
    static Settled alone(Reservation reservation) {
        return new Settled(reservation, false);
    }
}
