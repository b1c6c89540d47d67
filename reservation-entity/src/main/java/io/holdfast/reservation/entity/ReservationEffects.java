package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.CompensationDecided;
import io.holdfast.reservation.domain.ReservationCommand.ConfirmAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.OrderAnswered;
import io.holdfast.reservation.domain.ReservationCommand.OrderRequestAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundCameLate;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.GivesBack;
import io.holdfast.reservation.domain.ReservationEffect.HandOff;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.RequestOrder;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.domain.ReservationEffect.TryGroup;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.GroupCall;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Performs what a reservation owes: Try and Confirm through their scripts, a group's Try through {@link GroupTry}, release and refund through
 * {@link Compensations}, questions through the {@link OrderDirectory}, requests for orders through {@link OrderRequests}.
 */
final class ReservationEffects implements EffectPerformer<ReservationEffect, ReservationCommand> {

    private final StockScripts scripts;
    private final PoolDirectory pools;
    private final Compensations compensations;
    private final OrderDirectory orders;
    private final OrderRequests requests;
    private final GateEffects gate;
    private final GroupTry groups;
    private final InstantSource clock;

    ReservationEffects(
            StockScripts scripts,
            PoolDirectory pools,
            Compensations compensations,
            OrderDirectory orders,
            OrderRequests requests,
            GroupCall groups,
            InstantSource clock) {
        this.scripts = scripts;
        this.pools = pools;
        this.compensations = compensations;
        this.orders = orders;
        this.requests = requests;
        this.gate = new GateEffects(scripts, pools, clock);
        this.groups = new GroupTry(scripts, pools, groups, clock);
        this.clock = clock;
    }

    @Override
    public CompletionStage<Outcome<ReservationCommand>> perform(String entityId, ReservationEffect effect) {
        return switch (effect) {
            case TryHold tryHold -> tryHold(tryHold);
            case TryGroup tryGroup -> groups.perform(tryGroup);
            case HandOff handOff -> gate.handOff(handOff);
            case RequestOrder request ->
                requests.send(request.order()).thenApply(outcome -> outcome.map(_ -> new OrderRequestAnswered()));
            case ReturnAdmission admission -> gate.giveBack(admission);
            case ConfirmHold confirm -> confirm(confirm);
            case ReleaseHold release ->
                compensations
                        .release(release)
                        .thenApply(outcome -> outcome.map(answer -> compensated(release, answer)));
            case AskOrder question ->
                orders.publishAgain(question)
                        .thenApply(outcome -> outcome.map(answer -> new OrderAnswered(question.number(), answer)));
            case AwaitCompensation awaited ->
                compensations
                        .await(awaited)
                        .thenApply(outcome -> outcome.map(answer -> compensated(awaited.owed(), answer)));
            case RefundHold refund ->
                compensations.refund(refund).thenApply(outcome -> outcome.map(answer -> compensated(refund, answer)));
        };
    }

    private CompletionStage<Outcome<ReservationCommand>> tryHold(TryHold effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.tryHold(new TryRequest(
                        effect.pool().value(), epoch, effect.reservationId(), effect.quantity(), clock.instant())),
                (epoch, reply) -> tried(effect, epoch, reply),
                seen -> new SeeEpoch(effect.generation(), seen),
                // No hold of it can have been granted and not recorded, or the pool would not have ended.
                books -> Outcome.known(new HoldAnswered(new HoldAnswer.Turned(DenialReason.CLOSED, books))));
    }

    private Outcome<ReservationCommand> tried(TryHold effect, long epoch, TryReply reply) {
        return switch (reply) {
            case TryReply.Held held ->
                Outcome.known(new HoldAnswered(new HoldAnswer.Granted(ScriptAnswers.books(held.books()))));
            case TryReply.InsufficientStock no -> turned(DenialReason.SHORT, no.books());
            case TryReply.Closed no -> turned(DenialReason.CLOSED, no.books());
            case TryReply.Paused no -> turned(DenialReason.PAUSED, no.books());
            case TryReply.Fenced no -> turned(DenialReason.FENCED, no.books());
            case TryReply.Conflict conflict ->
                contradiction(effect, "CONFLICT", Map.of("tried_quantity", Long.toString(conflict.quantity())));
            case GuardRefusal refusal ->
                ScriptAnswers.refused(
                        refusal,
                        effect.pool(),
                        epoch,
                        pools,
                        (answer, evidence) -> contradiction(effect, answer, evidence));
        };
    }

    private static Outcome<ReservationCommand> turned(DenialReason reason, io.holdfast.lua.Books books) {
        return Outcome.known(new HoldAnswered(new HoldAnswer.Turned(reason, ScriptAnswers.books(books))));
    }

    private CompletionStage<Outcome<ReservationCommand>> confirm(ConfirmHold effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.confirm(new ConfirmRequest(
                        effect.pool().value(),
                        epoch,
                        effect.reservationId(),
                        effect.quantity(),
                        effect.admitted(),
                        clock.instant())),
                (epoch, reply) -> confirmed(effect, epoch, reply),
                seen -> new SeeEpoch(effect.generation(), seen),
                _ -> contradiction(effect, "ARCHIVED", Map.of()));
    }

    private Outcome<ReservationCommand> confirmed(ConfirmHold effect, long epoch, ConfirmReply reply) {
        return switch (reply) {
            case ConfirmReply.Confirmed done ->
                Outcome.known(
                        new ConfirmAnswered(effect.quantity(), done.released(), ScriptAnswers.books(done.books())));
            case ConfirmReply.Conflict(long quantity, var _) ->
                contradiction(effect, "CONFLICT", Map.of("confirmed_quantity", Long.toString(quantity)));
            case ConfirmReply.Exceeds(long left, var _) ->
                contradiction(effect, "EXCEEDS", Map.of("left", Long.toString(left)));
            case ConfirmReply.Contradiction(var phase, var _) ->
                contradiction(effect, "CONTRADICTION", Map.of("phase", phase.name()));
            case ConfirmReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case GuardRefusal refusal ->
                ScriptAnswers.refused(
                        refusal,
                        effect.pool(),
                        epoch,
                        pools,
                        (answer, evidence) -> contradiction(effect, answer, evidence));
        };
    }

    private static Outcome<ReservationCommand> contradiction(
            ReservationEffect effect, String answer, Map<String, String> evidence) {
        return Outcome.known(new ContradictionFound(effect.operationId(), answer, evidence));
    }

    private static ReservationCommand compensated(GivesBack effect, CompensationAnswer answer) {
        return switch (answer) {
            case CompensationAnswer.Released(long units, var books) -> new ReleaseAnswered(units, books);
            case CompensationAnswer.Refunded(var books) ->
                switch (effect) {
                    case RefundHold refund -> new RefundAnswered(refund.refund().id(), books);
                    case ReleaseHold release -> new ContradictionFound(release.operationId(), "REFUNDED", Map.of());
                };
            case CompensationAnswer.TooLate() ->
                switch (effect) {
                    case RefundHold refund -> new RefundCameLate(refund.refund().id());
                    case ReleaseHold release -> new ContradictionFound(release.operationId(), "ARCHIVED", Map.of());
                };
            case CompensationAnswer.LoadedAnew(PoolEpoch seen) -> new SeeEpoch(effect.generation(), seen);
            case CompensationAnswer.Decided(var ending, String reason) ->
                new CompensationDecided(effect.operationId(), ending, reason);
            case CompensationAnswer.Contradicted(String code, var evidence) ->
                new ContradictionFound(effect.operationId(), code, evidence);
        };
    }
}
