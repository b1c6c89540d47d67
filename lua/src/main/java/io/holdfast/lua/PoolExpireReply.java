package io.holdfast.lua;

/** What {@code pool_expire} answered. */
public sealed interface PoolExpireReply permits PoolExpireReply.Expires, PoolExpireReply.WrongStatus, GuardRefusal {

    /** EXPIRES: the keys go when the time is over. */
    record Expires(Books books) implements PoolExpireReply {}

    /** WRONG_STATUS: the pool is not archived. Nothing changed. */
    record WrongStatus(PoolStatus status, Books books) implements PoolExpireReply {}
}
