package io.holdfast.lua.script;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.InspectReply;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolExpireReply;
import io.holdfast.lua.PoolExpireRequest;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginReply;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadReply;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolRepairReply;
import io.holdfast.lua.PoolRepairRequest;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolTags;
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.script.SoldOutLooks.Look;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The port, given something that runs scripts: every method is the same call of {@link #run} with its own descriptor. */
public abstract class ScriptRunner implements StockScripts {

    /** Lua's numbers are exact up to here. */
    private static final long LARGEST_EXACT = (1L << 53) - 1;

    private final PoolTags tags;

    /** @param tags under which hash tags the pools are */
    protected ScriptRunner(PoolTags tags) {
        this.tags = tags;
    }

    /**
     * Runs one script. The ids of the request are well-formed. The stage never completes exceptionally.
     *
     * @param tag the hash tag the request's pool shares with others; empty where it has its own
     */
    protected abstract <Q, R> CompletionStage<Outcome<R>> run(
            StockScript<Q, R> script, Q request, Optional<String> tag);

    private <Q, R> CompletionStage<Outcome<R>> checked(StockScript<Q, R> script, Q request) {
        return script.refusedUnsent(request)
                .<CompletionStage<Outcome<R>>>map(no -> CompletableFuture.completedFuture(Outcome.known(no)))
                .orElseGet(() -> located(script.pool(request), tag -> run(script, request, tag)));
    }

    /** Makes a call once it is known under which hash tag its pool is. */
    private <R> CompletionStage<Outcome<R>> located(
            String pool, Function<Optional<String>, CompletionStage<Outcome<R>>> call) {
        return tags.of(pool).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Optional<String>>(Optional<String> tag) -> call.apply(tag);
            case Outcome.Unknown<Optional<String>>(String why) -> unsent(why);
            case Outcome.Unavailable<Optional<String>>(String why) -> unsent(why);
        });
    }

    /**
     * What every key of a pool's fences begins with.
     *
     * @return never completes exceptionally; Unavailable when it is not known now
     */
    protected final CompletionStage<Outcome<String>> fencePrefix(String pool) {
        return tags.of(pool).thenApply(outcome -> outcome.map(tag -> PoolKeys.fence(pool, tag, "")));
    }

    private static <R> CompletionStage<Outcome<R>> unsent(String why) {
        return CompletableFuture.completedFuture(
                Outcome.unavailable("where the pool is in Redis is not known: " + why));
    }

    @Override
    public final CompletionStage<Outcome<TryReply>> tryHold(TryRequest request) {
        return checked(Scripts.TRY, request);
    }

    @Override
    public final CompletionStage<Outcome<OrderTryReply>> orderTry(OrderTryRequest request) {
        return checked(Scripts.ORDER_TRY, request);
    }

    @Override
    public final CompletionStage<Outcome<AdmitReply>> admit(AdmitRequest request) {
        return checked(Scripts.ADMIT, request);
    }

    @Override
    public final CompletionStage<Outcome<ClaimDueReply>> claimDue(ClaimDueRequest request) {
        return checked(Scripts.CLAIM_DUE, request);
    }

    @Override
    public final CompletionStage<Outcome<HandedOffReply>> handedOff(HandedOffRequest request) {
        return checked(Scripts.HANDED_OFF, request);
    }

    @Override
    public final CompletionStage<Outcome<ConfirmReply>> confirm(ConfirmRequest request) {
        return checked(Scripts.CONFIRM, request);
    }

    @Override
    public final CompletionStage<Outcome<CancelReply>> cancel(CancelRequest request) {
        return checked(Scripts.CANCEL, request);
    }

    @Override
    public final CompletionStage<Outcome<RefundReply>> refund(RefundRequest request) {
        return checked(Scripts.REFUND, request);
    }

    @Override
    public final CompletionStage<Outcome<LookReply>> look(LookRequest request) {
        return checked(Scripts.LOOK, request);
    }

    @Override
    public final CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request) {
        return malformed(request)
                .<CompletionStage<Outcome<SoldOutReply>>>map(argument ->
                        CompletableFuture.completedFuture(Outcome.known(new GuardRefusal.Malformed(argument))))
                .orElseGet(() -> located(request.pool(), tag -> look(new Look(request, tag))));
    }

    /** Asks {@code sold_out} about one request, alone or with others. The stage never completes exceptionally. */
    protected CompletionStage<Outcome<SoldOutReply>> look(Look look) {
        return run(Scripts.SOLD_OUT, new SoldOutLooks(List.of(look)), look.tag())
                .thenApply(outcome -> outcome.map(reply -> reply.to(0)));
    }

    /** What the script would refuse, and with it all that is asked in the same call. */
    private static Optional<String> malformed(SoldOutRequest request) {
        if (!ArgumentKind.PATH.sendable(request.pool())) {
            return Optional.of("pool");
        }
        if (!ArgumentKind.ID.sendable(request.reservation())) {
            return Optional.of("reservation");
        }
        return request.quantity() < 1 || request.quantity() > LARGEST_EXACT
                ? Optional.of("quantity")
                : Optional.empty();
    }

    @Override
    public final CompletionStage<Outcome<PoolInitReply>> poolInit(PoolInitRequest request) {
        return checked(Scripts.POOL_INIT, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolAdjustReply>> poolAdjust(PoolAdjustRequest request) {
        return checked(Scripts.POOL_ADJUST, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolStatusReply>> poolStatus(PoolStatusRequest request) {
        return checked(Scripts.POOL_STATUS, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolVerifyReply>> poolVerify(PoolVerifyRequest request) {
        return checked(Scripts.POOL_VERIFY, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolRebuildBeginReply>> poolRebuildBegin(PoolRebuildBeginRequest request) {
        return checked(Scripts.POOL_REBUILD_BEGIN, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolRebuildLoadReply>> poolRebuildLoad(PoolRebuildLoadRequest request) {
        return checked(Scripts.POOL_REBUILD_LOAD, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolRebuildOpenReply>> poolRebuildOpen(PoolRebuildOpenRequest request) {
        return checked(Scripts.POOL_REBUILD_OPEN, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolRepairReply>> poolRepair(PoolRepairRequest request) {
        return checked(Scripts.POOL_REPAIR, request);
    }

    @Override
    public final CompletionStage<Outcome<PoolExpireReply>> poolExpire(PoolExpireRequest request) {
        return checked(Scripts.POOL_EXPIRE, request);
    }

    @Override
    public final CompletionStage<Outcome<InspectReply>> inspect(InspectRequest request) {
        return checked(Scripts.INSPECT, request);
    }
}
