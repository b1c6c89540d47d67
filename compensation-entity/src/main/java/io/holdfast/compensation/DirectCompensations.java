package io.holdfast.compensation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.entity.ScriptAnswers;
import io.holdfast.reservation.entity.WithEpoch;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.CompensationAnswer.Contradicted;
import io.holdfast.reservation.port.CompensationAnswer.Refunded;
import io.holdfast.reservation.port.CompensationAnswer.Released;
import io.holdfast.reservation.port.CompensationAnswer.TooLate;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Gives stock back by running the script at once, under the effect's operation id: asked again, the script answers what it did the first
 * time. What is asked for always rests on a hold that the journal knows, so a fence that is not there is never taken for "nothing held".
 */
public final class DirectCompensations implements Compensations {

    private final StockScripts scripts;
    private final PoolDirectory pools;
    private final InstantSource clock;

    /**
     * @param scripts the stock scripts
     * @param pools where pools stand; told when Redis can't be believed
     * @param clock time that goes into Redis as the time of an operation
     */
    public DirectCompensations(StockScripts scripts, PoolDirectory pools, InstantSource clock) {
        this.scripts = scripts;
        this.pools = pools;
        this.clock = clock;
    }

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
                        clock.instant())),
                (epoch, reply) -> released(effect, epoch, reply),
                CompensationAnswer.LoadedAnew::new,
                _ -> contradicted("ARCHIVED", Map.of()));
    }

    private Outcome<CompensationAnswer> released(ReleaseHold effect, long epoch, CancelReply reply) {
        return switch (reply) {
            case CancelReply.Released done ->
                Outcome.known(new Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.AlreadyReleased done ->
                Outcome.known(new Released(effect.expectHeld(), ScriptAnswers.books(done.books())));
            case CancelReply.FencedEmpty _ ->
                contradicted("FENCED_EMPTY", Map.of("expected_held", Long.toString(effect.expectHeld())));
            case CancelReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case CancelReply.ConfirmedAlready _ -> contradicted("CONFIRMED_ALREADY", Map.of());
            case CancelReply.OtherCompensation(var phase, String operationId, var _) ->
                contradicted("OTHER_COMPENSATION", Map.of("phase", phase.name(), "operation_id", operationId));
            case CancelReply.Mismatch(String what, var phase, var _) ->
                contradicted("MISMATCH", Map.of("what", what, "phase", phase.name()));
            case GuardRefusal refusal ->
                ScriptAnswers.refused(refusal, effect.pool(), epoch, pools, DirectCompensations::contradicted);
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
                        clock.instant())),
                (epoch, reply) -> refunded(effect, epoch, reply),
                CompensationAnswer.LoadedAnew::new,
                _ -> Outcome.known(new TooLate()));
    }

    private Outcome<CompensationAnswer> refunded(RefundHold effect, long epoch, RefundReply reply) {
        return switch (reply) {
            case RefundReply.Refunded done -> Outcome.known(new Refunded(ScriptAnswers.books(done.books())));
            case RefundReply.Conflict(long quantity, boolean restock, String operationId, var _) ->
                contradicted(
                        "CONFLICT",
                        Map.of(
                                "quantity", Long.toString(quantity),
                                "restock", Boolean.toString(restock),
                                "operation_id", operationId));
            case RefundReply.Exceeds(long left, var _) -> contradicted("EXCEEDS", Map.of("left", Long.toString(left)));
            case RefundReply.Contradiction(var phase, var _) ->
                contradicted("CONTRADICTION", Map.of("phase", phase.name()));
            case RefundReply.Missing _ -> ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch, pools);
            case RefundReply.Archived _ -> {
                // Redis knows first. The pool says so once what happened before is recorded; then this has an answer.
                pools.forget(effect.pool());
                yield Outcome.unavailable("ARCHIVED: the pool is being archived");
            }
            case GuardRefusal refusal ->
                ScriptAnswers.refused(refusal, effect.pool(), epoch, pools, DirectCompensations::contradicted);
        };
    }

    private static Outcome<CompensationAnswer> contradicted(String answer, Map<String, String> evidence) {
        return Outcome.known(new Contradicted(answer, evidence));
    }
}
