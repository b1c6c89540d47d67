package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_status} answered. */
public sealed interface PoolStatusReply
        permits PoolStatusReply.Changed,
                PoolStatusReply.WrongStatus,
                PoolStatusReply.StillReserved,
                PoolStatusReply.Conflict,
                GuardRefusal {

    /**
     * CHANGED by this operation, or it had that status when the operation first ran. Numbers and version stay.
     *
     * @param frozenSince of a freeze: the operation that froze the pool first. From then on this very process has moved nothing of it. Empty
     *     for other targets.
     */
    record Changed(PoolStatus status, Books books, Instant at, boolean repeated, String frozenSince)
            implements PoolStatusReply {}

    /**
     * WRONG_STATUS: there is no such step from the pool's status. Nothing changed.
     *
     * @param status the pool's
     */
    record WrongStatus(PoolStatus status, Books books) implements PoolStatusReply {}

    /** STILL_RESERVED: units are reserved, so the pool cannot be archived. Nothing changed. */
    record StillReserved(Books books) implements PoolStatusReply {}

    /** CONFLICT: this operation id was used with other content. Nothing changed. */
    record Conflict(Books books) implements PoolStatusReply {}
}
