package io.holdfast.http.route;

import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Terms;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Which pool a hold is for, asked before anything is journaled. Must not block the calling thread. */
public interface HoldTargets {

    /**
     * The pool of a request.
     *
     * @param named the pool the caller named; without one it is the one of merchant, dish and business day
     */
    CompletionStage<Target> target(Optional<PoolId> named, Terms terms);

    /** What is known of the pool. */
    sealed interface Target {

        /** It exists and holds may be tried; whether it is open, and has units, Redis says. */
        record Serving(PoolChoice pool) implements Target {}

        /** Never initialised. */
        record Unknown(PoolChoice pool) implements Target {}

        /** Redis can't be trusted for it now. */
        record Suspect(PoolChoice pool) implements Target {}

        /**
         * Can't be told now.
         *
         * @param why for the log
         */
        record Unavailable(String why) implements Target {}
    }
}
