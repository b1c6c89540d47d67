package io.holdfast.reservation.simulation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.entity.Outcomes;
import io.holdfast.reservation.entity.ScriptAnswers;
import io.holdfast.reservation.entity.WithEpoch;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Gives stock back by running the script itself. */
record ScriptCompensations(StockScripts scripts, PoolDirectory pools, InstantSource clock) implements Compensations {

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
        return WithEpoch.of(
                pools,
                effect.pool(),
                epoch -> scripts.cancel(new CancelRequest(
                                effect.pool().value(),
                                epoch,
                                effect.reservationId(),
                                effect.operationId(),
                                effect.expectHeld(),
                                true,
                                clock.instant()))
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> released(effect, reply))));
    }

    private Outcome<CompensationAnswer> released(ReleaseHold effect, CancelReply reply) {
        return switch (reply) {
            case CancelReply.Released done ->
                Outcome.known(new CompensationAnswer.Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.AlreadyReleased done ->
                Outcome.known(new CompensationAnswer.Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), pools);
            case GuardRefusal refusal ->
                ScriptAnswers.refused(
                        refusal,
                        effect.pool(),
                        pools,
                        (answer, evidence) -> Outcome.known(new CompensationAnswer.Contradicted(answer, evidence)));
            case CancelReply.FencedEmpty _,
                    CancelReply.ConfirmedAlready _,
                    CancelReply.OtherCompensation _,
                    CancelReply.Mismatch _ -> contradicted(reply);
        };
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
        return WithEpoch.of(
                pools,
                effect.pool(),
                epoch -> scripts.refund(new RefundRequest(
                                effect.pool().value(),
                                epoch,
                                effect.reservationId(),
                                effect.operationId(),
                                effect.refund().id(),
                                effect.refund().quantity(),
                                effect.refund().restock(),
                                clock.instant()))
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> refunded(effect, reply))));
    }

    private Outcome<CompensationAnswer> refunded(RefundHold effect, RefundReply reply) {
        return switch (reply) {
            case RefundReply.Refunded done ->
                Outcome.known(new CompensationAnswer.Refunded(ScriptAnswers.books(done.books())));
            case RefundReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), pools);
            case GuardRefusal refusal ->
                ScriptAnswers.refused(
                        refusal,
                        effect.pool(),
                        pools,
                        (answer, evidence) -> Outcome.known(new CompensationAnswer.Contradicted(answer, evidence)));
            case RefundReply.Conflict _, RefundReply.Exceeds _, RefundReply.Contradiction _, RefundReply.Archived _ ->
                contradicted(reply);
        };
    }

    private static Outcome<CompensationAnswer> contradicted(Object reply) {
        return Outcome.known(new CompensationAnswer.Contradicted(
                reply.getClass().getSimpleName(), Map.of("reply", reply.toString())));
    }
}
