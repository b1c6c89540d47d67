package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_repair} answered. */
public sealed interface PoolRepairReply
        permits PoolRepairReply.Repaired,
                PoolRepairReply.Moved,
                PoolRepairReply.FenceMoved,
                PoolRepairReply.Conflict,
                GuardRefusal {

    /** REPAIRED; the books are those after the first run. */
    record Repaired(Books books, Instant at, boolean repeated) implements PoolRepairReply {}

    /**
     * MOVED: the pool's numbers have changed since they were looked at. Nothing changed; look again.
     *
     * @param version the pool's now
     */
    record Moved(long version, Books books) implements PoolRepairReply {}

    /**
     * FENCE_MOVED: the fence has changed since it was looked at. Nothing changed; look again.
     *
     * @param now what it is: NONE, or phase, quantity, confirmed, released and refunded
     */
    record FenceMoved(String now, Books books) implements PoolRepairReply {}

    /** CONFLICT: this operation id was used with other content. Nothing changed. */
    record Conflict(Books books) implements PoolRepairReply {}
}
