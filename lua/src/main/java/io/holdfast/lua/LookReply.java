package io.holdfast.lua;

import java.util.Optional;

/** What {@code look} answered. */
public sealed interface LookReply
        permits LookReply.Seen, GuardRefusal.Malformed, GuardRefusal.PoolMissing, GuardRefusal.BrokenBooks {

    /**
     * SEEN.
     *
     * @param trusted whether a script that moves something would get past the trust guard
     * @param fence empty where Redis has none of this reservation
     */
    record Seen(boolean trusted, PoolStatus status, Books books, Optional<Fence> fence) implements LookReply {}
}
