package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.entity.ScriptAnswers;
import io.holdfast.reservation.entity.WithEpoch;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Gives stock back by running the script, and says no more of a contradiction than what the script said. */
public record ScriptCompensations(StockScripts scripts, PoolDirectory pools, Instant now) implements Compensations {

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.cancel(new CancelRequest(
                        effect.pool().value(),
                        epoch,
                        effect.reservationId(),
                        effect.operationId(),
                        effect.expectHeld(),
                        true,
                        effect.admitted(),
                        now)),
                (epoch, reply) -> released(effect, epoch, reply),
                CompensationAnswer.LoadedAnew::new,
                _ -> contradicted("ARCHIVED", Map.of()));
    }

    private Outcome<CompensationAnswer> released(ReleaseHold effect, long epoch, CancelReply reply) {
        return switch (reply) {
            case CancelReply.Released done ->
                Outcome.known(new CompensationAnswer.Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.AlreadyReleased done ->
                Outcome.known(new CompensationAnswer.Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case GuardRefusal refusal -> refused(refusal, effect.pool(), epoch);
            case CancelReply.FencedEmpty _,
                    CancelReply.ConfirmedAlready _,
                    CancelReply.OtherCompensation _,
                    CancelReply.Mismatch _ -> contradicted(reply.toString(), Map.of());
        };
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
        return WithEpoch.call(
                pools,
                effect.pool(),
                effect.epoch(),
                epoch -> scripts.refund(new RefundRequest(
                        effect.pool().value(),
                        epoch,
                        effect.reservationId(),
                        effect.operationId(),
                        effect.refund().id(),
                        effect.refund().quantity(),
                        effect.refund().restock(),
                        effect.admitted(),
                        now)),
                (epoch, reply) -> refunded(effect, epoch, reply),
                CompensationAnswer.LoadedAnew::new,
                _ -> Outcome.known(new CompensationAnswer.TooLate()));
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
        return switch (effect.owed()) {
            case ReleaseHold release -> release(release);
            case RefundHold refund -> refund(refund);
        };
    }

    private Outcome<CompensationAnswer> refunded(RefundHold effect, long epoch, RefundReply reply) {
        return switch (reply) {
            case RefundReply.Refunded done ->
                Outcome.known(new CompensationAnswer.Refunded(ScriptAnswers.books(done.books())));
            case RefundReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case GuardRefusal refusal -> refused(refusal, effect.pool(), epoch);
            case RefundReply.Archived _ -> {
                pools.forget(effect.pool());
                yield Outcome.unavailable(reply.toString());
            }
            case RefundReply.Conflict _, RefundReply.Exceeds _, RefundReply.Contradiction _ ->
                contradicted(reply.toString(), Map.of());
        };
    }

    private Outcome<CompensationAnswer> refused(GuardRefusal refusal, PoolId pool, long epoch) {
        return ScriptAnswers.refused(refusal, pool, epoch, pools, ScriptCompensations::contradicted);
    }

    private static Outcome<CompensationAnswer> contradicted(String answer, Map<String, String> evidence) {
        return Outcome.known(new CompensationAnswer.Contradicted(answer, evidence));
    }
}
