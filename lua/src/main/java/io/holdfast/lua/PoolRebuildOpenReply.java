package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_rebuild_open} answered. */
public sealed interface PoolRebuildOpenReply
        permits PoolRebuildOpenReply.Opened,
                PoolRebuildOpenReply.Differs,
                PoolRebuildOpenReply.NotBegun,
                PoolRebuildOpenReply.StillDue,
                PoolRebuildOpenReply.Conflict,
                GuardRefusal.Malformed,
                GuardRefusal.PoolMissing,
                GuardRefusal.StaleEpoch,
                GuardRefusal.BrokenBooks {

    /** OPENED: the pool serves under the new epoch and the Redis process that answered at first. */
    record Opened(PoolStatus status, Books books, Instant at, boolean repeated) implements PoolRebuildOpenReply {}

    /**
     * DIFFERS: what was loaded is not what the request says. Nothing changed.
     *
     * @param loaded chunks, fences, units reserved and units sold in them, as Redis counted
     */
    record Differs(String loaded) implements PoolRebuildOpenReply {}

    /** NOT_BEGUN: this attempt was overtaken, or began under another Redis process. Nothing changed; begin anew, under a new id. */
    record NotBegun(PoolStatus status) implements PoolRebuildOpenReply {}

    /**
     * STILL_DUE: admitted holds wait for their actors. Nothing changed.
     *
     * @param waiting how many
     */
    record StillDue(long waiting) implements PoolRebuildOpenReply {}

    /** CONFLICT: this operation id was used with other content. Nothing changed. */
    record Conflict(Books books) implements PoolRebuildOpenReply {}
}
