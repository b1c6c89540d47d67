package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.Phase;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionReturnAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.HandOffAnswered;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.HandOff;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Performs what a reservation owes the gate: an admission taken off the list once it is in the journal, and one given back. */
final class GateEffects {

    private final StockScripts scripts;
    private final PoolDirectory pools;
    private final InstantSource clock;

    GateEffects(StockScripts scripts, PoolDirectory pools, InstantSource clock) {
        this.scripts = scripts;
        this.pools = pools;
        this.clock = clock;
    }

    CompletionStage<Outcome<ReservationCommand>> handOff(HandOff effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.handedOff(
                        new HandedOffRequest(effect.pool().value(), epoch, effect.reservationId(), clock.instant())),
                (epoch, reply) -> handedOff(effect, epoch, reply),
                seen -> new SeeEpoch(effect.generation(), seen),
                _ -> contradiction(effect, "ARCHIVED", Map.of()));
    }

    private Outcome<ReservationCommand> handedOff(HandOff effect, long epoch, HandedOffReply reply) {
        return switch (reply) {
            case HandedOffReply.HandedOff done ->
                done.phase() == Phase.RESERVED
                        ? Outcome.known(new HandOffAnswered())
                        : contradiction(
                                effect,
                                "HANDED_OFF",
                                Map.of("phase", done.phase().name()));
            case HandedOffReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case GuardRefusal refusal -> refused(effect, epoch, refusal);
        };
    }

    /** The journal does not count this hold, so a fence that is not there has nothing to give back. */
    CompletionStage<Outcome<ReservationCommand>> giveBack(ReturnAdmission effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.cancel(new CancelRequest(
                        effect.pool().value(),
                        epoch,
                        effect.reservationId(),
                        effect.operationId(),
                        effect.quantity(),
                        false,
                        true,
                        clock.instant())),
                (epoch, reply) -> givenBack(effect, epoch, reply),
                seen -> new SeeEpoch(effect.generation(), seen),
                books -> Outcome.known(new AdmissionReturnAnswered(0, books)));
    }

    private Outcome<ReservationCommand> givenBack(ReturnAdmission effect, long epoch, CancelReply reply) {
        return switch (reply) {
            case CancelReply.Released done -> returned(effect.quantity(), done.books());
            case CancelReply.AlreadyReleased done -> returned(effect.quantity(), done.books());
            case CancelReply.FencedEmpty done -> returned(0, done.books());
            case CancelReply.Missing missing -> returned(0, missing.books());
            // The fence says that units moved on which the journal, which has ended, does not know of: Redis can't be
            // believed.
            case CancelReply.ConfirmedAlready _, CancelReply.OtherCompensation _, CancelReply.Mismatch _ -> {
                String evidence = "an admission of " + effect.reservationId() + " that goes back was answered " + reply;
                pools.suspect(effect.pool(), epoch, evidence);
                yield Outcome.unavailable(evidence);
            }
            case GuardRefusal refusal -> refused(effect, epoch, refusal);
        };
    }

    private static Outcome<ReservationCommand> returned(long units, io.holdfast.lua.Books books) {
        return Outcome.known(new AdmissionReturnAnswered(units, ScriptAnswers.books(books)));
    }

    private Outcome<ReservationCommand> refused(ReservationEffect effect, long epoch, GuardRefusal refusal) {
        return ScriptAnswers.refused(
                refusal, effect.pool(), epoch, pools, (answer, evidence) -> contradiction(effect, answer, evidence));
    }

    private static Outcome<ReservationCommand> contradiction(
            ReservationEffect effect, String answer, Map<String, String> evidence) {
        return Outcome.known(new ContradictionFound(effect.operationId(), answer, evidence));
    }
}
