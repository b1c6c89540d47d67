package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_rebuild_begin} answered. */
public sealed interface PoolRebuildBeginReply
        permits PoolRebuildBeginReply.Begun,
                PoolRebuildBeginReply.AlreadyOpen,
                GuardRefusal.Malformed,
                GuardRefusal.StaleEpoch {

    /**
     * BEGUN: from here on no other script moves the pool, and nothing stored of it before counts.
     *
     * @param books what is stored, under the new epoch; numbers that could not be read, or were not there, are 0
     * @param frozenSince the operation from which on this very process has kept the pool frozen: this one, an earlier attempt, or a freeze
     */
    record Begun(Books books, Instant at, boolean repeated, String frozenSince) implements PoolRebuildBeginReply {}

    /**
     * ALREADY_OPEN: an earlier attempt under this epoch has opened the pool, in this process. Nothing changed.
     *
     * @param status the pool's now
     * @param fences how many were loaded
     */
    record AlreadyOpen(PoolStatus status, long fences, Books books) implements PoolRebuildBeginReply {}
}
