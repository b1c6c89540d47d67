package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
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
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Scripts that give one answer to whatever they are asked, and remember what that was. An answer of another script is a mistake. */
final class FixedScripts implements StockScripts {

    private final Outcome<?> answer;
    final List<Object> asked = new ArrayList<>();

    FixedScripts(Outcome<?> answer) {
        this.answer = answer;
    }

    private <R> CompletionStage<Outcome<R>> answer(Object request, Class<R> type) {
        asked.add(request);
        return CompletableFuture.completedFuture(
                switch (answer) {
                    case Outcome.Known<?>(Object value) -> Outcome.known(type.cast(value));
                    case Outcome.Unknown<?>(String why) -> Outcome.unknown(why);
                    case Outcome.Unavailable<?>(String why) -> Outcome.unavailable(why);
                });
    }

    @Override
    public CompletionStage<Outcome<OrderTryReply>> orderTry(OrderTryRequest request) {
        return answer(request, OrderTryReply.class);
    }

    @Override
    public CompletionStage<Outcome<TryReply>> tryHold(TryRequest request) {
        return answer(request, TryReply.class);
    }

    @Override
    public CompletionStage<Outcome<ConfirmReply>> confirm(ConfirmRequest request) {
        return answer(request, ConfirmReply.class);
    }

    @Override
    public CompletionStage<Outcome<AdmitReply>> admit(AdmitRequest request) {
        return answer(request, AdmitReply.class);
    }

    @Override
    public CompletionStage<Outcome<ClaimDueReply>> claimDue(ClaimDueRequest request) {
        return answer(request, ClaimDueReply.class);
    }

    @Override
    public CompletionStage<Outcome<HandedOffReply>> handedOff(HandedOffRequest request) {
        return answer(request, HandedOffReply.class);
    }

    @Override
    public CompletionStage<Outcome<CancelReply>> cancel(CancelRequest request) {
        return answer(request, CancelReply.class);
    }

    @Override
    public CompletionStage<Outcome<RefundReply>> refund(RefundRequest request) {
        return answer(request, RefundReply.class);
    }

    @Override
    public CompletionStage<Outcome<LookReply>> look(LookRequest request) {
        return answer(request, LookReply.class);
    }

    @Override
    public CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request) {
        return answer(request, SoldOutReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolInitReply>> poolInit(PoolInitRequest request) {
        return answer(request, PoolInitReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolAdjustReply>> poolAdjust(PoolAdjustRequest request) {
        return answer(request, PoolAdjustReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolStatusReply>> poolStatus(PoolStatusRequest request) {
        return answer(request, PoolStatusReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolVerifyReply>> poolVerify(PoolVerifyRequest request) {
        return answer(request, PoolVerifyReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolRebuildBeginReply>> poolRebuildBegin(PoolRebuildBeginRequest request) {
        return answer(request, PoolRebuildBeginReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolRebuildLoadReply>> poolRebuildLoad(PoolRebuildLoadRequest request) {
        return answer(request, PoolRebuildLoadReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolRebuildOpenReply>> poolRebuildOpen(PoolRebuildOpenRequest request) {
        return answer(request, PoolRebuildOpenReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolRepairReply>> poolRepair(PoolRepairRequest request) {
        return answer(request, PoolRepairReply.class);
    }

    @Override
    public CompletionStage<Outcome<PoolExpireReply>> poolExpire(PoolExpireRequest request) {
        return answer(request, PoolExpireReply.class);
    }

    @Override
    public CompletionStage<Outcome<InspectReply>> inspect(InspectRequest request) {
        return answer(request, InspectReply.class);
    }
}
