package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.port.GroupCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks the reservation's entity. */
public record EntityGroupCall(Entities<Reservation, ReservationCommand> reservations) implements GroupCall {

    @Override
    public CompletionStage<Outcome<Reservation>> ask(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        String id = group.id();
        var cause = new Cause("group-" + id, id, Cause.Kind.REQUEST, "group", Optional.empty());
        var request = new ReservationCommand.Reserve(
                line.terms(), new PoolChoice.Named(line.pool()), attentionAt, Optional.of(group), epochs);
        return reservations
                .ask(line.reservationId(), cause, request, patience)
                .thenApply(outcome -> Outcomes.flatMap(outcome, EntityGroupCall::standing));
    }

    /** What it says no to is shown by how it stands; what it did not look at is not. */
    private static Outcome<Reservation> standing(Reply<Reservation> reply) {
        return reply.verdict() instanceof Verdict.Refused(EngineRefusal refusal)
                ? Outcome.unavailable(refusal.asReason())
                : Outcome.known(reply.state());
    }
}
