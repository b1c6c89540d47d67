package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_adjust} answered. */
public sealed interface PoolAdjustReply
        permits PoolAdjustReply.Adjusted,
                PoolAdjustReply.Conflict,
                PoolAdjustReply.Outdated,
                PoolAdjustReply.WrongStatus,
                PoolAdjustReply.TooFewAvailable,
                GuardRefusal {

    /** ADJUSTED; the books are those after the first run. */
    record Adjusted(Books books, Instant at, boolean repeated) implements PoolAdjustReply {}

    /** CONFLICT: this operation id was used with other content. Nothing changed. */
    record Conflict(Books books) implements PoolAdjustReply {}

    /** OUTDATED: the pool has this or a newer baseline version. Nothing changed. */
    record Outdated(long baselineVersion, Books books) implements PoolAdjustReply {}

    /** WRONG_STATUS: the pool is CLOSED or ARCHIVED. Nothing changed. */
    record WrongStatus(PoolStatus status, Books books) implements PoolAdjustReply {}

    /** TOO_FEW: fewer units are available than the total would take away. Nothing changed. */
    record TooFewAvailable(long available, Books books) implements PoolAdjustReply {}
}
