package io.holdfast.http.route;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The numbers of a pool as they stand in Redis, for showing: nothing is decided by them. Must not block the calling thread. */
@FunctionalInterface
public interface PoolNumbers {

    /** What Redis says now; empty when it does not say, for whatever reason. Never fails. */
    CompletionStage<Optional<Seen>> now(PoolId pool);

    /**
     * What Redis says of a pool.
     *
     * @param status as stored there
     * @param trusted whether it would serve the pool
     */
    record Seen(String status, boolean trusted, Books books) {}
}
