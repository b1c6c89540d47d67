package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a sale can truly sell, kept beside the pool that its gate lets buyers in by. It is raised before the pool is, and lowered after it,
 * so that nobody is let in for what can't be sold. An operation moves it once, by whichever of the two calls comes first.
 */
public interface SaleStock {

    /** It is as is said below. */
    record Kept() {}

    /** Where another system decides what is sold. */
    static SaleStock none() {
        return new SaleStock() {
            @Override
            public CompletionStage<Outcome<Kept>> atLeast(PoolId pool, String operationId, long total) {
                return CompletableFuture.completedFuture(Outcome.known(new Kept()));
            }

            @Override
            public CompletionStage<Outcome<Kept>> exactly(PoolId pool, String operationId, long total) {
                return CompletableFuture.completedFuture(Outcome.known(new Kept()));
            }
        };
    }

    /** Raises it to this total, if it is less. */
    CompletionStage<Outcome<Kept>> atLeast(PoolId pool, String operationId, long total);

    /** Makes it this total, or what is taken and sold already where that is more. */
    CompletionStage<Outcome<Kept>> exactly(PoolId pool, String operationId, long total);
}
