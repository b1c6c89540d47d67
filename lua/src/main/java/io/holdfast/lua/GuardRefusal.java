package io.holdfast.lua;

/**
 * The refusals every script that moves something may give before it looks at the reservation or the operation. Nothing was written.
 *
 * <p>They come in this order: malformed, pool missing, pool suspect, stale epoch. {@link BrokenBooks} may come at any point after.
 */
public sealed interface GuardRefusal
        extends TryReply,
                AdmitReply,
                HandedOffReply,
                ConfirmReply,
                CancelReply,
                RefundReply,
                PoolInitReply,
                PoolAdjustReply,
                PoolStatusReply,
                PoolVerifyReply,
                PoolRepairReply,
                PoolExpireReply {

    /**
     * An argument is outside its pattern or range. A fault of the caller: the edge should have refused it.
     *
     * @param what name of the argument
     */
    record Malformed(String what)
            implements GuardRefusal,
                    LookReply,
                    SoldOutReply,
                    InspectReply,
                    ClaimDueReply,
                    PoolRebuildBeginReply,
                    PoolRebuildLoadReply,
                    PoolRebuildOpenReply {}

    /** Redis has no such pool: never initialised, or lost. Not the same as an empty one. */
    record PoolMissing()
            implements GuardRefusal,
                    LookReply,
                    InspectReply,
                    ClaimDueReply,
                    PoolRebuildLoadReply,
                    PoolRebuildOpenReply {}

    /**
     * The pool may not be trusted until it is verified or rebuilt.
     *
     * @param status as stored; SUSPECT and REBUILDING are reasons by themselves
     * @param otherProcess the pool was verified under another Redis process (restart, promotion) than the one that answered
     */
    record PoolSuspect(PoolStatus status, boolean otherProcess) implements GuardRefusal {}

    /**
     * The caller's epoch is not the pool's. The caller takes over the current one and asks again.
     *
     * @param currentEpoch the pool's
     */
    record StaleEpoch(long currentEpoch)
            implements GuardRefusal, PoolRebuildBeginReply, PoolRebuildLoadReply, PoolRebuildOpenReply {}

    /**
     * The stored numbers or the fence contradict themselves: a number is missing or unreadable, the sum is wrong, or a subtraction would
     * go below zero. Needs an alarm and a reconciliation.
     *
     * @param what which one
     */
    record BrokenBooks(String what)
            implements GuardRefusal, LookReply, InspectReply, PoolRebuildLoadReply, PoolRebuildOpenReply {}
}
