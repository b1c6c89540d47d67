package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Brings a line into its group: asks its reservation for the hold, as the group has it. */
@FunctionalInterface
public interface GroupCall {

    /**
     * Asks, as often as one likes: who has been asked before, or can't be held any more, stays as it is.
     *
     * @param attentionAt when an undecided hold is reported as overdue, if this is what begins it
     * @param epochs of the group's pools, as far as they are known; journaled if this is what begins it
     * @param patience how long the answer may be held back until the hold is settled
     * @return the reservation after that; Unknown or Unavailable when it could not be asked. Never completes exceptionally.
     */
    CompletionStage<Outcome<Reservation>> ask(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience);
}
