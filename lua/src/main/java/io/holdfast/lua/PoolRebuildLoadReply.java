package io.holdfast.lua;

/** What {@code pool_rebuild_load} answered. */
public sealed interface PoolRebuildLoadReply
        permits PoolRebuildLoadReply.Loaded,
                PoolRebuildLoadReply.OutOfOrder,
                PoolRebuildLoadReply.NotBegun,
                GuardRefusal.Malformed,
                GuardRefusal.PoolMissing,
                GuardRefusal.StaleEpoch,
                GuardRefusal.BrokenBooks {

    /** LOADED, now or before. */
    record Loaded(long chunk, boolean repeated) implements PoolRebuildLoadReply {}

    /**
     * OUT_OF_ORDER: nothing changed.
     *
     * @param next the chunk that must come first
     */
    record OutOfOrder(long next) implements PoolRebuildLoadReply {}

    /** NOT_BEGUN: this attempt was overtaken, or began under another Redis process. Nothing changed; begin anew, under a new id. */
    record NotBegun(PoolStatus status) implements PoolRebuildLoadReply {}
}
