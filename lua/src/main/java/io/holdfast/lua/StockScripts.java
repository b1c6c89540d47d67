package io.holdfast.lua;

import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * The scripts that move stock, one method each. Every one is atomic in Redis and answers a repeat under the same ids with what happened
 * the first time.
 *
 * <p>A stage never completes exceptionally: {@link Outcome.Unknown} when the script may have run (ask again with the same request),
 * {@link Outcome.Unavailable} when it has not. Requests name the epoch; the identity of the Redis process is added by the implementation.
 * Stages may complete on a thread of the client: callers must not block on it.
 */
public interface StockScripts {

    /** Holds stock for a reservation. */
    CompletionStage<Outcome<TryReply>> tryHold(TryRequest request);

    /** Holds all lines of a group or none of them. */
    CompletionStage<Outcome<OrderTryReply>> orderTry(OrderTryRequest request);

    /** Lets a user's request into a sale. */
    CompletionStage<Outcome<AdmitReply>> admit(AdmitRequest request);

    /** Claims admitted holds that nobody has handed over yet, for as long as a lease. */
    CompletionStage<Outcome<ClaimDueReply>> claimDue(ClaimDueRequest request);

    /** Takes an admitted hold that its actor has in its journal off the list of those to hand over. */
    CompletionStage<Outcome<HandedOffReply>> handedOff(HandedOffRequest request);

    /** Sells what a reservation holds. */
    CompletionStage<Outcome<ConfirmReply>> confirm(ConfirmRequest request);

    /** Releases what a reservation holds, or fences one that never held. */
    CompletionStage<Outcome<CancelReply>> cancel(CancelRequest request);

    /** Takes units of a hold or sale back. */
    CompletionStage<Outcome<RefundReply>> refund(RefundRequest request);

    /** Reads numbers and fence; writes nothing. */
    CompletionStage<Outcome<LookReply>> look(LookRequest request);

    /** Says whether a hold would be turned away for want of units now; writes nothing. */
    CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request);

    /** Creates a pool. */
    CompletionStage<Outcome<PoolInitReply>> poolInit(PoolInitRequest request);

    /** Sets a new total. */
    CompletionStage<Outcome<PoolAdjustReply>> poolAdjust(PoolAdjustRequest request);

    /** Pauses, resumes, closes, archives or freezes a pool. */
    CompletionStage<Outcome<PoolStatusReply>> poolStatus(PoolStatusRequest request);

    /** Compares a pool with the journals and trusts it where equal. */
    CompletionStage<Outcome<PoolVerifyReply>> poolVerify(PoolVerifyRequest request);

    /** Raises a pool's epoch and begins to load it anew. */
    CompletionStage<Outcome<PoolRebuildBeginReply>> poolRebuildBegin(PoolRebuildBeginRequest request);

    /** Loads fences into a pool under rebuild. */
    CompletionStage<Outcome<PoolRebuildLoadReply>> poolRebuildLoad(PoolRebuildLoadRequest request);

    /** Opens a pool that was loaded anew. */
    CompletionStage<Outcome<PoolRebuildOpenReply>> poolRebuildOpen(PoolRebuildOpenRequest request);

    /** Sets numbers, and one fence, that have not moved since they were looked at. */
    CompletionStage<Outcome<PoolRepairReply>> poolRepair(PoolRepairRequest request);

    /** Lets keys of an archived pool go after a while. */
    CompletionStage<Outcome<PoolExpireReply>> poolExpire(PoolExpireRequest request);

    /** Reads what is stored, for people; writes nothing. */
    CompletionStage<Outcome<InspectReply>> inspect(InspectRequest request);
}
