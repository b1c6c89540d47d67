package io.holdfast.http.route;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import java.util.concurrent.CompletionStage;

/**
 * A pool as it stands in Redis: its numbers for showing, and whether it is served, for whoever asks to verify it. Must not block the
 * calling thread.
 */
@FunctionalInterface
public interface PoolNumbers {

    /** What Redis says now. Never fails. */
    CompletionStage<Answer> now(PoolId pool);

    /** What Redis says of a pool. */
    sealed interface Answer permits Seen, NotThere, Unreadable, Silent {}

    /**
     * It has the pool.
     *
     * @param status as stored there
     * @param trusted whether it would serve the pool
     */
    record Seen(String status, boolean trusted, Books books) implements Answer {}

    /** Redis has no such pool. */
    record NotThere() implements Answer {}

    /** Redis has it, and its numbers don't add up, or can't be read. */
    record Unreadable(String what) implements Answer {}

    /** Redis does not say, for whatever reason. */
    record Silent() implements Answer {}
}
