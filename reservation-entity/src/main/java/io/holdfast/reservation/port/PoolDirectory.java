package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import java.util.concurrent.CompletionStage;

/** Where pools stand, as this node knows it. Cheap enough to be asked before every hold. */
public interface PoolDirectory {

    /**
     * Where the pool stands. Asks the pool itself only when this node does not know, once for however many ask at the same time.
     *
     * @return never completes exceptionally; Unknown or Unavailable when the pool could not be asked
     */
    CompletionStage<Outcome<PoolStanding>> standing(PoolId pool);

    /**
     * Redis gave an answer that it must not give of a pool it can be believed for. New holds of the pool are turned away on this node at
     * once, and the pool is told, so that it is frozen and verified. Returns at once.
     *
     * @param epoch of the call it answered; news of an earlier epoch than the pool's changes nothing, but that the pool is asked anew
     * @param evidence what was seen, in one sentence
     */
    void suspect(PoolId pool, long epoch, String evidence);

    /** Forgets what this node knows of the pool, so that it is asked again: after it was created or changed. */
    void forget(PoolId pool);
}
