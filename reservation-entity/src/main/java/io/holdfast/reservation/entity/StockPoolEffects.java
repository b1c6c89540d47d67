package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRepairReply;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.OperationDone;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.Suspect;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEffect.AdjustPool;
import io.holdfast.reservation.domain.StockPoolEffect.ArchivePool;
import io.holdfast.reservation.domain.StockPoolEffect.InitPool;
import io.holdfast.reservation.domain.StockPoolEffect.LetKeysGo;
import io.holdfast.reservation.domain.StockPoolEffect.RebuildPool;
import io.holdfast.reservation.domain.StockPoolEffect.RepairPool;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.port.SaleStock;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Performs what a stock pool owes. An answer that Redis must not give of a pool it can be believed for comes back as {@link Suspect}: the
 * pool then freezes and verifies itself.
 */
final class StockPoolEffects implements EffectPerformer<StockPoolEffect, StockPoolCommand> {

    private final StockScripts scripts;
    private final SaleStock sales;
    private final PoolVerification verification;
    private final PoolRebuild rebuild;
    private final PoolArchiving archiving;
    private final InstantSource clock;

    StockPoolEffects(
            StockScripts scripts,
            SaleStock sales,
            PoolVerification verification,
            PoolRebuild rebuild,
            PoolArchiving archiving,
            InstantSource clock) {
        this.scripts = scripts;
        this.sales = sales;
        this.verification = verification;
        this.rebuild = rebuild;
        this.archiving = archiving;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Outcome<StockPoolCommand>> perform(String entityId, StockPoolEffect effect) {
        return switch (effect) {
            case InitPool init ->
                withStock(
                        init.pool(),
                        init.operationId(),
                        init.sale().isPresent(),
                        init.total(),
                        () -> scripts.poolInit(new PoolInitRequest(
                                        init.pool().value(),
                                        init.epoch(),
                                        init.operationId(),
                                        init.total(),
                                        init.sale().map(ScriptSale::of),
                                        clock.instant()))
                                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> initialized(init, reply))));
            case AdjustPool adjust ->
                withStock(
                        adjust.pool(),
                        adjust.operationId(),
                        adjust.ofSale(),
                        adjust.newTotal(),
                        () -> scripts.poolAdjust(new PoolAdjustRequest(
                                        adjust.pool().value(),
                                        adjust.epoch(),
                                        adjust.operationId(),
                                        adjust.newTotal(),
                                        adjust.baselineVersion(),
                                        clock.instant()))
                                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> adjusted(adjust, reply))));
            case SetPoolStatus status ->
                scripts.poolStatus(new PoolStatusRequest(
                                status.pool().value(),
                                status.epoch(),
                                status.operationId(),
                                status(status.target()),
                                clock.instant()))
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> changed(status, reply)));
            case ArchivePool archive -> archiving.archive(archive);
            case LetKeysGo letGo -> archiving.letGo(letGo);
            case RepairPool again ->
                scripts.poolRepair(RepairRequests.of(again, clock.instant()))
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> repaired(again, reply)));
            case VerifyPool verify ->
                verification
                        .verify(verify)
                        .thenApply(outcome -> outcome.map(
                                finding -> new StockPoolCommand.VerificationAnswered(verify.number(), finding)));
            case RebuildPool again -> rebuilt(again);
        };
    }

    /** A pool that is there once it was loaded has been created by that: then its final stock is the rebuild's to set out, as the creation's was. */
    private CompletionStage<Outcome<StockPoolCommand>> rebuilt(RebuildPool again) {
        Supplier<CompletionStage<Outcome<StockPoolCommand>>> loaded = () -> rebuild.rebuild(again)
                .thenApply(outcome -> outcome.map(result -> new RebuildAnswered(again.number(), result)));
        return again.kept() instanceof StockPool.Initializing creating
                ? withStock(
                        again.pool(),
                        InitPool.operationId(creating.created().orElseThrow().operationId()),
                        creating.sale().isPresent(),
                        creating.total(),
                        loaded)
                : loaded.get();
    }

    /** Final stock first, then the pool, then the final stock again: of a total that is raised the last is a repeat, of another the first. */
    private CompletionStage<Outcome<StockPoolCommand>> withStock(
            PoolId pool,
            String operationId,
            boolean ofSale,
            long total,
            Supplier<CompletionStage<Outcome<StockPoolCommand>>> inRedis) {
        if (!ofSale) {
            return inRedis.get();
        }
        return Outcomes.then(
                sales.atLeast(pool, operationId, total),
                _ -> Outcomes.then(
                        inRedis.get(),
                        answer -> answer instanceof OperationDone || answer instanceof RebuildAnswered
                                ? sales.exactly(pool, operationId, total).thenApply(outcome -> outcome.map(_ -> answer))
                                : Outcomes.done(Outcome.known(answer))));
    }

    static PoolStatus status(Target target) {
        return switch (target) {
            case OPEN -> PoolStatus.OPEN;
            case PAUSED -> PoolStatus.PAUSED;
            case CLOSED -> PoolStatus.CLOSED;
        };
    }

    private static Outcome<StockPoolCommand> initialized(InitPool effect, PoolInitReply reply) {
        return switch (reply) {
            case PoolInitReply.Created created -> done(effect.key(), created.books());
            case PoolInitReply.Exists(var status, var _) ->
                suspect("EXISTS: Redis has the pool, " + status + ", from another operation than "
                        + effect.operationId());
            case PoolInitReply.Conflict _ -> conflict(effect);
            case GuardRefusal refusal -> refused(effect.key(), refusal);
        };
    }

    private static Outcome<StockPoolCommand> adjusted(AdjustPool effect, PoolAdjustReply reply) {
        return switch (reply) {
            case PoolAdjustReply.Adjusted adjusted -> done(effect.key(), adjusted.books());
            case PoolAdjustReply.Outdated(long version, var _) ->
                suspect("OUTDATED: Redis has baseline version " + version + ", the journal is about to write "
                        + effect.baselineVersion());
            case PoolAdjustReply.WrongStatus(var status, var _) -> wrongStatus(effect.key(), status);
            case PoolAdjustReply.Conflict _ -> conflict(effect);
            case GuardRefusal refusal -> refused(effect.key(), refusal);
        };
    }

    private static Outcome<StockPoolCommand> changed(SetPoolStatus effect, PoolStatusReply reply) {
        return switch (reply) {
            case PoolStatusReply.Changed changed -> done(effect.key(), changed.books());
            case PoolStatusReply.WrongStatus(var status, var _) -> wrongStatus(effect.key(), status);
            case PoolStatusReply.StillReserved _ -> suspect("STILL_RESERVED was answered to " + effect.operationId());
            case PoolStatusReply.Conflict _ -> conflict(effect);
            case GuardRefusal refusal -> refused(effect.key(), refusal);
        };
    }

    private static Outcome<StockPoolCommand> repaired(RepairPool effect, PoolRepairReply reply) {
        String key = effect.repair().operationId();
        return switch (reply) {
            case PoolRepairReply.Repaired repaired -> done(key, repaired.books());
            case PoolRepairReply.Moved _, PoolRepairReply.FenceMoved _ ->
                Outcome.known(new OperationTurnedDown(key, StockPoolRefusal.REPAIR_OVERTAKEN));
            case PoolRepairReply.Conflict _ -> conflict(effect);
            case GuardRefusal refusal -> refused(key, refusal);
        };
    }

    static Outcome<StockPoolCommand> done(String key, io.holdfast.lua.Books books) {
        return Outcome.known(new OperationDone(key, ScriptAnswers.books(books)));
    }

    private static Outcome<StockPoolCommand> wrongStatus(String key, PoolStatus status) {
        return switch (status) {
            case CLOSED, ARCHIVED -> Outcome.known(new OperationTurnedDown(key, StockPoolRefusal.POOL_CLOSED));
            case OPEN, PAUSED, SUSPECT, REBUILDING -> suspect("WRONG_STATUS: Redis has the pool as " + status);
        };
    }

    static Outcome<StockPoolCommand> conflict(StockPoolEffect effect) {
        return suspect("CONFLICT: Redis knows operation " + effect.operationId() + " with other content");
    }

    static Outcome<StockPoolCommand> refused(String key, GuardRefusal refusal) {
        return switch (refusal) {
            // Nothing was written, and asking again would be answered alike for ever.
            case GuardRefusal.Malformed _ ->
                Outcome.known(new OperationTurnedDown(key, StockPoolRefusal.OPERATION_MALFORMED));
            case GuardRefusal.PoolMissing _,
                    GuardRefusal.PoolSuspect _,
                    GuardRefusal.StaleEpoch _,
                    GuardRefusal.BrokenBooks _ -> suspect(ScriptAnswers.code(refusal));
        };
    }

    static Outcome<StockPoolCommand> suspect(String evidence) {
        return Outcome.known(new Suspect(evidence));
    }
}
