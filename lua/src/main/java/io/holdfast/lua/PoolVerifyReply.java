package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_verify} answered. */
public sealed interface PoolVerifyReply
        permits PoolVerifyReply.Verified,
                PoolVerifyReply.Differs,
                PoolVerifyReply.NotFrozen,
                PoolVerifyReply.Conflict,
                GuardRefusal {

    /** VERIFIED: equal, and the pool is open again under the Redis process that answered at first. */
    record Verified(PoolStatus status, Books books, Instant at, boolean repeated) implements PoolVerifyReply {}

    /**
     * DIFFERS: nothing changed, the pool stays as it was.
     *
     * @param actual what Redis has, epoch and version included
     */
    record Differs(PoolStatus status, Books actual) implements PoolVerifyReply {}

    /**
     * NOT_FROZEN: the freeze of this operation does not hold. It was never made, was followed by another, was lifted, or was made under
     * another Redis process than the one that answers. What was compared since says nothing; freeze and compare again, under a new id.
     */
    record NotFrozen(PoolStatus status, Books books) implements PoolVerifyReply {}

    /** CONFLICT: this operation id was used with other content, under the same Redis process. Verify under a new id. */
    record Conflict(Books books) implements PoolVerifyReply {}
}
