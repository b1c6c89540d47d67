package io.holdfast.lua;

import java.time.Instant;

/** What {@code pool_init} answered. */
public sealed interface PoolInitReply
        permits PoolInitReply.Created, PoolInitReply.Exists, PoolInitReply.Conflict, GuardRefusal {

    /** CREATED, by this operation; the books are those of then. */
    record Created(Books books, Instant at, boolean repeated) implements PoolInitReply {}

    /** EXISTS: another operation created it. Nothing changed; the books are those of now. */
    record Exists(PoolStatus status, Books books) implements PoolInitReply {}

    /** CONFLICT: this operation id was used with other content. Nothing changed. */
    record Conflict(Books books) implements PoolInitReply {}
}
