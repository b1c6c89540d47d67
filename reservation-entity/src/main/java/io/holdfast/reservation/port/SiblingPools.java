package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The other pools of a sale, as one of them asks for what they do together. */
@FunctionalInterface
public interface SiblingPools {

    /**
     * Asks a pool for an operation, under its id: however often, it happens once.
     *
     * @param patience how long its end is waited for
     * @return what the pool says of it, which it has in its journal unless it refuses; never completes exceptionally
     */
    CompletionStage<Outcome<Verdict>> operate(PoolId pool, PoolOperation operation, Duration patience);
}
