package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand.FenceRead;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer.Contradicts;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer.Done;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.domain.Result;
import io.holdfast.compensation.entity.CompensationListener.Answered;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.entity.ScriptAnswers;
import io.holdfast.reservation.entity.WithEpoch;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Gives stock back by the script, under the compensation's key: asked again, the script answers what it did the first time. A fence that the
 * journal says must be there and is not is never taken for "nothing held".
 */
public final class CompensationScripts {

    private final StockScripts scripts;
    private final PoolDirectory pools;
    private final InstantSource clock;
    private final CompensationListener listener;

    /**
     * @param scripts the stock scripts
     * @param pools where pools stand; told when Redis can't be believed
     * @param clock time that goes into Redis as the time of an operation
     * @param listener hears what is answered
     */
    public CompensationScripts(
            StockScripts scripts, PoolDirectory pools, InstantSource clock, CompensationListener listener) {
        this.scripts = scripts;
        this.pools = pools;
        this.clock = clock;
        this.listener = listener;
    }

    /** Nobody counts what is answered. */
    public CompensationScripts(StockScripts scripts, PoolDirectory pools, InstantSource clock) {
        this(scripts, pools, clock, CompensationListener.none());
    }

    /** What asking for it came to. */
    public sealed interface Answer {
        /** The script has answered, or the pool has ended. */
        record Said(ScriptAnswer answer) implements Answer {}

        /** The pool was loaded anew, and the reservation's journal does not have that epoch yet: nothing was asked of Redis. */
        record LoadedAnew(PoolEpoch seen) implements Answer {}
    }

    /** Asks for it once. */
    public CompletionStage<Outcome<Answer>> apply(Content content, Asked asked) {
        return switch (content) {
            case Content.Release release -> release(release, asked);
            case Content.GiveBack refund -> refund(refund, asked);
        };
    }

    private CompletionStage<Outcome<Answer>> release(Content.Release content, Asked asked) {
        return WithEpoch.call(
                pools,
                content.pool(),
                asked.epoch(),
                epoch -> scripts.cancel(new CancelRequest(
                        content.pool().value(),
                        epoch,
                        content.reservationId(),
                        content.key(),
                        content.quantity(),
                        content.expectHeld(),
                        content.admitted(),
                        clock.instant())),
                (epoch, reply) -> released(content, epoch, reply),
                Answer.LoadedAnew::new,
                _ -> contradicts("ARCHIVED", Map.of()));
    }

    private Outcome<Answer> released(Content.Release content, long epoch, CancelReply reply) {
        listener.answered(
                switch (reply) {
                    case CancelReply.Released _ -> Answered.RELEASED;
                    case CancelReply.AlreadyReleased _ -> Answered.ALREADY_RELEASED;
                    case CancelReply.FencedEmpty _ -> Answered.FENCED_EMPTY;
                    case CancelReply.Missing _ -> Answered.MISSING;
                    case CancelReply.ConfirmedAlready _ -> Answered.CONFIRMED_ALREADY;
                    case CancelReply.OtherCompensation _ -> Answered.OTHER_COMPENSATION;
                    case CancelReply.Mismatch _ -> Answered.MISMATCH;
                    case GuardRefusal _ -> Answered.REFUSED;
                });
        return switch (reply) {
            case CancelReply.Released done ->
                done(new Result.Released(content.quantity(), ScriptAnswers.books(done.books())));
            case CancelReply.AlreadyReleased done ->
                done(new Result.Released(content.quantity(), ScriptAnswers.books(done.books())));
            case CancelReply.FencedEmpty empty ->
                content.expectHeld()
                        ? contradicts("FENCED_EMPTY", Map.of("expected_held", Long.toString(content.quantity())))
                        : done(new Result.Released(0, ScriptAnswers.books(empty.books())));
            case CancelReply.Missing _ -> ScriptAnswers.missing(content.reservationId(), content.pool(), epoch, pools);
            case CancelReply.ConfirmedAlready _ -> contradicts("CONFIRMED_ALREADY", Map.of());
            case CancelReply.OtherCompensation(var phase, String operationId, var _) ->
                contradicts("OTHER_COMPENSATION", Map.of("phase", phase.name(), "operation_id", operationId));
            case CancelReply.Mismatch(String what, var phase, var _) ->
                contradicts("MISMATCH", Map.of("what", what, "phase", phase.name()));
            case GuardRefusal refusal ->
                ScriptAnswers.refused(refusal, content.pool(), epoch, pools, CompensationScripts::contradicts);
        };
    }

    private CompletionStage<Outcome<Answer>> refund(Content.GiveBack content, Asked asked) {
        return WithEpoch.call(
                pools,
                content.pool(),
                asked.epoch(),
                epoch -> scripts.refund(new RefundRequest(
                        content.pool().value(),
                        epoch,
                        content.reservationId(),
                        content.key(),
                        content.refund().id(),
                        content.refund().quantity(),
                        content.refund().restock(),
                        content.admitted(),
                        clock.instant())),
                (epoch, reply) -> refunded(content, epoch, reply),
                Answer.LoadedAnew::new,
                _ -> done(new Result.TooLate()));
    }

    private Outcome<Answer> refunded(Content.GiveBack content, long epoch, RefundReply reply) {
        listener.answered(
                switch (reply) {
                    case RefundReply.Refunded done -> done.repeated() ? Answered.ALREADY_REFUNDED : Answered.REFUNDED;
                    case RefundReply.Conflict _ -> Answered.CONFLICT;
                    case RefundReply.Exceeds _ -> Answered.EXCEEDS;
                    case RefundReply.Contradiction _ -> Answered.CONTRADICTION;
                    case RefundReply.Missing _ -> Answered.MISSING;
                    case RefundReply.Archived _ -> Answered.ARCHIVED;
                    case GuardRefusal _ -> Answered.REFUSED;
                });
        return switch (reply) {
            case RefundReply.Refunded done -> done(new Result.Refunded(ScriptAnswers.books(done.books())));
            case RefundReply.Conflict(long quantity, boolean restock, String operationId, var _) ->
                contradicts(
                        "CONFLICT",
                        Map.of(
                                "quantity", Long.toString(quantity),
                                "restock", Boolean.toString(restock),
                                "operation_id", operationId));
            case RefundReply.Exceeds(long left, var _) -> contradicts("EXCEEDS", Map.of("left", Long.toString(left)));
            case RefundReply.Contradiction(var phase, var _) ->
                contradicts("CONTRADICTION", Map.of("phase", phase.name()));
            case RefundReply.Missing _ -> ScriptAnswers.missing(content.reservationId(), content.pool(), epoch, pools);
            case RefundReply.Archived _ -> {
                // Redis knows first. The pool says so once what happened before is recorded; then this has an answer.
                pools.forget(content.pool());
                yield Outcome.unavailable("ARCHIVED: the pool is being archived");
            }
            case GuardRefusal refusal ->
                ScriptAnswers.refused(refusal, content.pool(), epoch, pools, CompensationScripts::contradicts);
        };
    }

    /** Reads once whether the fence shows it. */
    CompletionStage<Outcome<FenceRead>> readBack(Content content, Asked asked) {
        return WithEpoch.call(
                pools,
                content.pool(),
                asked.epoch(),
                _ -> scripts.look(new LookRequest(content.pool().value(), content.reservationId())),
                (epoch, reply) -> read(content, asked, epoch, reply),
                // Loaded with what was so before: the reservation asks anew, and then the script is asked.
                seen -> new FenceRead(asked, false, "the pool was loaded anew, under " + seen.epoch()),
                // It ended after this was done, and lets its fences go.
                _ -> Outcome.known(new FenceRead(asked, true, "the pool has ended")));
    }

    private Outcome<FenceRead> read(Content content, Asked asked, long epoch, LookReply reply) {
        return switch (reply) {
            case LookReply.Seen seen -> {
                if (seen.trusted()) {
                    yield Outcome.known(new FenceRead(asked, shows(content, seen.fence()), found(seen.fence())));
                }
                // Nobody else may be asking anything of this pool: it would stay as it is, and this would ask for ever.
                String evidence = "POOL_SUSPECT: what is read from it, as " + seen.status() + ", can't be believed now";
                pools.suspect(content.pool(), epoch, evidence);
                yield Outcome.unavailable(evidence);
            }
            case GuardRefusal refusal ->
                ScriptAnswers.refused(
                        refusal,
                        content.pool(),
                        epoch,
                        pools,
                        (code, details) -> Outcome.known(new FenceRead(asked, false, code + " " + details)));
        };
    }

    private static boolean shows(Content content, Optional<Fence> fence) {
        String operation = switch (content) {
            case Content.Release _ -> "cancel";
            case Content.GiveBack refund -> "refund:" + refund.refund().id();
        };
        return fence.map(f -> f.operations().get(operation))
                .filter(done -> done.details().contains(content.key()))
                .isPresent();
    }

    private static String found(Optional<Fence> fence) {
        return fence.map(f -> f.phase() + " with " + f.left() + " left").orElse("no fence");
    }

    private static Outcome<Answer> done(Result result) {
        return Outcome.known(new Answer.Said(new Done(result)));
    }

    private static Outcome<Answer> contradicts(String answer, Map<String, String> details) {
        return Outcome.known(new Answer.Said(new Contradicts(answer, details)));
    }
}
