package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.port.Adoptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Hands over to the reservation's entity. */
public record EntityAdoptions(Entities<Reservation, ReservationCommand> reservations) implements Adoptions {

    @Override
    public CompletionStage<Outcome<Reservation>> adopt(Adopt adopt) {
        String id = adopt.order().reservationId();
        // Not remembered as a cause: one that is handed over again must be looked at again.
        var cause = new Cause("admission-" + id, "", Cause.Kind.TIMER, "gate", Optional.empty());
        return reservations
                .ask(id, cause, adopt, Duration.ZERO)
                .thenApply(outcome -> Outcomes.flatMap(outcome, EntityAdoptions::taken));
    }

    private static Outcome<Reservation> taken(Reply<Reservation> reply) {
        return switch (reply.verdict()) {
            case Verdict.Done() -> Outcome.known(reply.state());
            case Verdict.Pending() -> Outcome.unavailable("the reservation has not taken the hold yet");
            case Verdict.Refused(Refusal reason) ->
                Outcome.unavailable("the reservation could not take the hold: " + reason.code());
        };
    }
}
