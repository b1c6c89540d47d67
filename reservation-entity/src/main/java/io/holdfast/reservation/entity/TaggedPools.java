package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.SharedTags;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The pools, whoever creates one: it is told which tag it shares, and has it in its journal from then on.
 *
 * @param tags decides for pools that are created
 */
public record TaggedPools(Entities<StockPool, StockPoolCommand> pools, SharedTags tags)
        implements Entities<StockPool, StockPoolCommand> {

    @Override
    public CompletionStage<Outcome<Reply<StockPool>>> ask(
            String entityId, Cause cause, StockPoolCommand command, Duration patience) {
        return pools.ask(entityId, cause, tagged(entityId, command), patience);
    }

    @Override
    public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
        return pools.look(entityId);
    }

    private StockPoolCommand tagged(String pool, StockPoolCommand command) {
        return command instanceof PoolOperation.Init init && init.tag().isEmpty() ? init.tagged(shared(pool)) : command;
    }

    /** What is no pool id shares nothing; the pool itself will refuse it. */
    private Optional<String> shared(String pool) {
        try {
            return tags.of(PoolId.parse(pool));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
