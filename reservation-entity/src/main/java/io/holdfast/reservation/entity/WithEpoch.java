package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** Calls a script of a pool that serves, with the pool's epoch; of any other pool it is not called, and the effect is tried again. */
public final class WithEpoch {

    private WithEpoch() {}

    /** The call's outcome, or Unavailable with where the pool stands. */
    public static <T> CompletionStage<Outcome<T>> of(
            PoolDirectory pools, PoolId pool, LongFunction<CompletionStage<Outcome<T>>> call) {
        return Outcomes.then(pools.standing(pool), standing -> switch (standing) {
            case PoolStanding.Serving(long epoch, var _) -> call.apply(epoch);
            case PoolStanding.NotReady() -> Outcomes.done(Outcome.unavailable("POOL_NOT_READY: it is being created"));
            case PoolStanding.Suspect(String evidence) ->
                Outcomes.done(Outcome.unavailable("POOL_SUSPECT: " + evidence));
            case PoolStanding.Rebuilding(String reason) ->
                Outcomes.done(Outcome.unavailable("POOL_REBUILDING: " + reason));
            case PoolStanding.Unknown() -> Outcomes.done(Outcome.unavailable("POOL_UNKNOWN: it was never initialised"));
        });
    }
}
