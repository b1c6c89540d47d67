package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.port.SiblingPools;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks the pools' entities. */
public record EntitySiblingPools(Entities<StockPool, StockPoolCommand> pools) implements SiblingPools {

    @Override
    public CompletionStage<Outcome<Verdict>> operate(PoolId pool, PoolOperation operation, Duration patience) {
        // Not remembered as a cause: the operation has its own id.
        var cause = new Cause("sale-" + operation.operationId(), "", Cause.Kind.TIMER, "sale", Optional.empty());
        return pools.ask(pool.value(), cause, operation, patience).thenApply(outcome -> outcome.map(Reply::verdict));
    }
}
