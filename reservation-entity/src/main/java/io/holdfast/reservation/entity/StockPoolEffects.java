package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
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
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.OperationDone;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.Suspect;
import io.holdfast.reservation.domain.StockPoolCommand.UnitsTaken;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEffect.AdjustPool;
import io.holdfast.reservation.domain.StockPoolEffect.ArchivePool;
import io.holdfast.reservation.domain.StockPoolEffect.DeliverUnits;
import io.holdfast.reservation.domain.StockPoolEffect.InitPool;
import io.holdfast.reservation.domain.StockPoolEffect.LetKeysGo;
import io.holdfast.reservation.domain.StockPoolEffect.RebuildPool;
import io.holdfast.reservation.domain.StockPoolEffect.RepairPool;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.reservation.port.SiblingPools;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Performs what a stock pool owes. An answer that Redis must not give of a pool it can be believed for comes back as {@link Suspect}: the
 * pool then freezes and verifies itself.
 */
final class StockPoolEffects implements EffectPerformer<StockPoolEffect, StockPoolCommand> {

    /** How long another pool of the sale is waited for in one attempt; shorter than an attempt may take. */
    private static final Duration OF_ANOTHER = Duration.ofMillis(1_000);

    private final StockScripts scripts;
    private final SaleStock sales;
    private final SiblingPools siblings;
    private final PoolVerification verification;
    private final PoolRebuild rebuild;
    private final PoolArchiving archiving;
    private final InstantSource clock;

    StockPoolEffects(
            StockScripts scripts,
            SaleStock sales,
            SiblingPools siblings,
            PoolVerification verification,
            PoolRebuild rebuild,
            PoolArchiving archiving,
            InstantSource clock) {
        this.scripts = scripts;
        this.sales = sales;
        this.siblings = siblings;
        this.verification = verification;
        this.rebuild = rebuild;
        this.archiving = archiving;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Outcome<StockPoolCommand>> perform(String entityId, StockPoolEffect effect) {
        return switch (effect) {
            case InitPool init -> creation(init, () -> create(init));
            case AdjustPool adjust -> withStock(adjust, adjust.finalStock(), () -> adjust(adjust));
            case DeliverUnits deliver -> deliver(deliver);
            case SetPoolStatus status ->
                together(status.others(), status.operation(), status.key(), () -> change(status));
            case ArchivePool archive ->
                together(
                        archive.others(),
                        new PoolOperation.Archive(archive.key()),
                        archive.key(),
                        () -> archiving.archive(archive));
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

    /** Final stock and the other pools of the sale belong to the creation of a pool, whatever makes it be there in the end. */
    private CompletionStage<Outcome<StockPoolCommand>> creation(
            InitPool effect, Supplier<CompletionStage<Outcome<StockPoolCommand>>> inRedis) {
        return withStock(effect, effect.finalStock(), () -> withOthers(effect, inRedis));
    }

    /** A pool that was being created and is there once it was loaded has been created by that. */
    private CompletionStage<Outcome<StockPoolCommand>> rebuilt(RebuildPool again) {
        Supplier<CompletionStage<Outcome<StockPoolCommand>>> loaded = () -> rebuild.rebuild(again)
                .thenApply(outcome -> outcome.map(result -> new RebuildAnswered(again.number(), result)));
        if (!(again.kept() instanceof StockPool.Initializing creating)) {
            return loaded.get();
        }
        var creation = new InitPool(
                again.pool(), again.epoch(), creating.created().orElseThrow(), again.generation(), again.retry());
        return creation(creation, loaded)
                .thenApply(outcome -> Outcomes.flatMap(
                        outcome,
                        answer -> answer instanceof OperationTurnedDown(var _, var reason)
                                ? Outcome.unavailable("it can't be created: " + reason)
                                : Outcome.known(answer)));
    }

    private CompletionStage<Outcome<StockPoolCommand>> create(InitPool effect) {
        return scripts.poolInit(new PoolInitRequest(
                        effect.pool().value(),
                        effect.epoch(),
                        effect.operationId(),
                        effect.init().units(),
                        effect.init().sale().map(ScriptSale::of),
                        clock.instant()))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> initialized(effect, reply)));
    }

    private CompletionStage<Outcome<StockPoolCommand>> adjust(AdjustPool effect) {
        return scripts.poolAdjust(new PoolAdjustRequest(
                        effect.pool().value(),
                        effect.epoch(),
                        effect.operationId(),
                        effect.newTotal(),
                        effect.baselineVersion(),
                        bound(effect),
                        clock.instant()))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> adjusted(effect, reply)));
    }

    private static PoolAdjustRequest.Bound bound(AdjustPool effect) {
        return switch (effect.bound()) {
            case ANY -> PoolAdjustRequest.Bound.ANY;
            case AVAILABLE -> PoolAdjustRequest.Bound.FIT;
            case GIVEN -> PoolAdjustRequest.Bound.OUT;
            case RECEIVED -> PoolAdjustRequest.Bound.IN;
        };
    }

    private CompletionStage<Outcome<StockPoolCommand>> change(SetPoolStatus effect) {
        return scripts.poolStatus(new PoolStatusRequest(
                        effect.pool().value(),
                        effect.epoch(),
                        effect.operationId(),
                        status(effect.target()),
                        clock.instant()))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> changed(effect, reply)));
    }

    /** That the other pool's journal has it is enough: from then on it owes the units to Redis. */
    private CompletionStage<Outcome<StockPoolCommand>> deliver(DeliverUnits effect) {
        return siblings.operate(effect.give().to(), effect.receipt(), OF_ANOTHER)
                .thenApply(outcome -> Outcomes.flatMap(outcome, verdict -> switch (verdict) {
                    case Verdict.Done(), Verdict.Pending() ->
                        Outcome.known(new UnitsTaken(effect.give().operationId()));
                    case Verdict.Refused(Refusal reason) ->
                        Outcome.unavailable(effect.give().to() + " does not take the units: " + reason.code());
                }));
    }

    // ---- what the pools of a sale do together

    /** The first pool opens when all others have been created: from then on units may go to any of them. */
    private CompletionStage<Outcome<StockPoolCommand>> withOthers(
            InitPool effect, Supplier<CompletionStage<Outcome<StockPoolCommand>>> then) {
        Optional<Buckets> buckets = effect.init().sale().flatMap(Sale::buckets);
        if (buckets.filter(Buckets::isFirst).isEmpty()) {
            return then.get();
        }
        List<CompletableFuture<Outcome<Optional<Refusal>>>> asked = new ArrayList<>();
        for (int other = 1; other < buckets.get().count(); other++) {
            asked.add(ended(
                    buckets.get().pool(effect.pool(), other),
                    effect.init().at(buckets.get().at(other))));
        }
        return all(
                asked,
                // What was asked for in their name can't be wrong, so they are another's.
                _ -> Outcome.known(new OperationTurnedDown(effect.key(), StockPoolRefusal.BUCKET_TAKEN)),
                then);
    }

    private CompletionStage<Outcome<StockPoolCommand>> together(
            List<PoolId> others,
            PoolOperation operation,
            String key,
            Supplier<CompletionStage<Outcome<StockPoolCommand>>> then) {
        if (others.isEmpty()) {
            return then.get();
        }
        return all(
                others.stream().map(other -> ended(other, operation)).toList(),
                refusal -> refusal instanceof StockPoolRefusal no
                        ? Outcome.known(new OperationTurnedDown(key, no))
                        : Outcome.unavailable("a bucket refuses: " + refusal.code()),
                then);
    }

    /** Done once each of them has ended; the first refusal in their order, if any, ends it for all. */
    private static CompletionStage<Outcome<StockPoolCommand>> all(
            List<CompletableFuture<Outcome<Optional<Refusal>>>> asked,
            Function<Refusal, Outcome<StockPoolCommand>> refused,
            Supplier<CompletionStage<Outcome<StockPoolCommand>>> then) {
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenCompose(_ -> {
            Outcome<Optional<Refusal>> together = Outcome.known(Optional.empty());
            for (CompletableFuture<Outcome<Optional<Refusal>>> one : asked) {
                together = Outcomes.flatMap(together, no -> one.join().map(next -> no.or(() -> next)));
            }
            return Outcomes.then(
                    Outcomes.done(together),
                    no -> no.map(refusal -> Outcomes.done(refused.apply(refusal)))
                            .orElseGet(then));
        });
    }

    private CompletableFuture<Outcome<Optional<Refusal>>> ended(PoolId other, PoolOperation operation) {
        return siblings.operate(other, operation, OF_ANOTHER)
                .thenApply(outcome ->
                        Outcomes.<Verdict, Optional<Refusal>>flatMap(outcome, verdict -> switch (verdict) {
                            case Verdict.Done() -> Outcome.known(Optional.empty());
                            case Verdict.Pending() -> Outcome.unavailable(other + " is not as far yet");
                            case Verdict.Refused(Refusal reason) ->
                                reason.retryable()
                                        ? Outcome.unavailable(other + ": " + reason.code())
                                        : Outcome.known(Optional.of(reason));
                        }))
                .toCompletableFuture();
    }

    /** Final stock first, then the pool, then the final stock again: of a total that is raised the last is a repeat, of another the first. */
    private CompletionStage<Outcome<StockPoolCommand>> withStock(
            StockPoolEffect effect, OptionalLong total, Supplier<CompletionStage<Outcome<StockPoolCommand>>> inRedis) {
        if (total.isEmpty()) {
            return inRedis.get();
        }
        return Outcomes.then(
                sales.atLeast(effect.pool(), effect.operationId(), total.getAsLong()),
                _ -> Outcomes.then(
                        inRedis.get(),
                        answer -> answer instanceof OperationDone || answer instanceof RebuildAnswered
                                ? sales.exactly(effect.pool(), effect.operationId(), total.getAsLong())
                                        .thenApply(outcome -> outcome.map(_ -> answer))
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
            case PoolAdjustReply.WrongStatus(var status, var _) ->
                effect.bound() == AdjustPool.Bound.RECEIVED
                        ? suspect("WRONG_STATUS: Redis has the pool as " + status + ", units have come for it")
                        : wrongStatus(effect.key(), status);
            case PoolAdjustReply.TooFewAvailable _ ->
                Outcome.known(new OperationTurnedDown(effect.key(), StockPoolRefusal.UNITS_SHORT));
            case PoolAdjustReply.Conflict _ -> conflict(effect);
            // Never turned down: what has come has left another pool.
            case GuardRefusal.Malformed(String what)
            when effect.bound() == AdjustPool.Bound.RECEIVED ->
                Outcome.unavailable("units that have come were answered MALFORMED: " + what);
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
