package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.PoolTags;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The tag a pool was created with, as its journal has it: asked once, for it never changes. */
public final class EntityPoolTags implements PoolTags {

    /** Pools remembered at a time. Forgetting one costs one question. */
    private static final int LONGEST_MEMORY = 100_000;

    private final Entities<StockPool, StockPoolCommand> pools;
    private final Map<String, CompletionStage<Outcome<Optional<String>>>> known = new ConcurrentHashMap<>();

    /** @param pools asked once each */
    public EntityPoolTags(Entities<StockPool, StockPoolCommand> pools) {
        this.pools = pools;
    }

    @Override
    public CompletionStage<Outcome<Optional<String>>> of(String pool) {
        CompletionStage<Outcome<Optional<String>>> remembered = known.get(pool);
        return remembered != null
                ? remembered
                : pools.look(pool).thenApply(outcome -> outcome.map(reply -> seen(pool, reply)));
    }

    /** A pool that is not created yet may still be created with another. */
    private Optional<String> seen(String pool, Reply<StockPool> reply) {
        Optional<String> tag = reply.state().sharedTag();
        if (reply.state().latestBooks().isPresent()) {
            if (known.size() >= LONGEST_MEMORY) {
                known.clear();
            }
            known.put(pool, CompletableFuture.completedFuture(Outcome.known(tag)));
        }
        return tag;
    }
}
