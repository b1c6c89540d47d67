package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionLost;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationCommand.SeeVerification;
import io.holdfast.reservation.port.VerificationNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Tells the reservation's entity. */
public record EntityVerificationNotice(Entities<Reservation, ReservationCommand> reservations)
        implements VerificationNotice {

    @Override
    public CompletionStage<Outcome<Reservation>> tell(
            String reservationId, long generation, Optional<PoolEpoch> loaded) {
        return ask(reservationId, generation, command(generation, loaded));
    }

    @Override
    public CompletionStage<Outcome<Reservation>> admissionLost(
            String reservationId, long generation, long total, long promised) {
        return ask(reservationId, generation, new AdmissionLost(generation, total, promised));
    }

    private CompletionStage<Outcome<Reservation>> ask(String id, long generation, ReservationCommand command) {
        // Not remembered as a cause: every comparison must be told anew, also one that is attempted twice.
        var cause =
                new Cause("verification-" + generation, "", Cause.Kind.TIMER, "pool-verification", Optional.empty());
        return reservations
                .ask(id, cause, command, Duration.ZERO)
                .thenApply(outcome -> Outcomes.flatMap(outcome, EntityVerificationNotice::seen));
    }

    private static ReservationCommand command(long generation, Optional<PoolEpoch> loaded) {
        return loaded.<ReservationCommand>map(seen -> new SeeEpoch(generation, seen))
                .orElseGet(() -> new SeeVerification(generation));
    }

    private static Outcome<Reservation> seen(Reply<Reservation> reply) {
        return switch (reply.verdict()) {
            case Verdict.Done() -> Outcome.known(reply.state());
            case Verdict.Pending() -> Outcome.unavailable("the reservation has not seen the verification yet");
            case Verdict.Refused(Refusal reason) ->
                Outcome.unavailable("the reservation could not be told of the verification: " + reason.code());
        };
    }
}
