package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_verify} answered. */
public sealed interface PoolVerifyReply
        permits PoolVerifyReply.Verified, PoolVerifyReply.Differs, PoolVerifyReply.Conflict, GuardRefusal {

    /** VERIFIED: equal, and the pool is open again under the Redis process that answered at first. */
    record Verified(PoolStatus status, Books books, Instant at, boolean repeated) implements PoolVerifyReply {}

    /**
     * DIFFERS: nothing changed, the pool stays as it was.
     *
     * @param actual what Redis has, epoch and version included
     */
    record Differs(PoolStatus status, Books actual) implements PoolVerifyReply {}

    /** CONFLICT: this operation id was used with other content, under the same Redis process. Verify under a new id. */
    record Conflict(Books books) implements PoolVerifyReply {}
}
