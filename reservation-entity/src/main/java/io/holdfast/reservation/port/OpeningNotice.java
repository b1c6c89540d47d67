package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import java.util.concurrent.CompletionStage;

/**
 * Has a pool journal that it is about to be opened in Redis, after a comparison or a rebuild. A copy of the pool that was left behind can't
 * write that, and so opens nothing by what it still believes.
 */
@FunctionalInterface
public interface OpeningNotice {

    /**
     * Tells the pool, and waits until that is journaled.
     *
     * @param number of the comparison or the rebuild
     * @param attempt the operation id of this attempt of it; each is journaled
     * @return true; Unknown or Unavailable when it could not be told, or does not owe that one any more. Never completes exceptionally.
     */
    CompletionStage<Outcome<Boolean>> tell(PoolId pool, long number, String attempt);
}
