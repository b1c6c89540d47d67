package io.holdfast.reservation.port;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Sale;
import java.time.Instant;
import java.util.Optional;

/** What a node knows of a pool before it asks Redis anything. */
public sealed interface PoolStanding {

    /**
     * It exists and Redis is believed. Whether it takes new holds is for the script to say.
     *
     * @param epoch the pool's
     * @param rebuiltAt when it was loaded anew, if it ever was: new holds are let in little by little from then on
     * @param sale what its gate keeps to; empty for a pool without one
     */
    record Serving(long epoch, Optional<Instant> rebuiltAt, Optional<Sale> sale) implements PoolStanding {
        /** One without a gate. */
        public Serving(long epoch, Optional<Instant> rebuiltAt) {
            this(epoch, rebuiltAt, Optional.empty());
        }

        /** One without a gate that was never loaded anew. */
        public Serving(long epoch) {
            this(epoch, Optional.empty());
        }
    }

    /** It is being created. */
    record NotReady() implements PoolStanding {}

    /**
     * Redis is not believed for this pool until it is verified.
     *
     * @param evidence why
     */
    record Suspect(String evidence) implements PoolStanding {}

    /**
     * Redis is loaded anew for it.
     *
     * @param reason why
     */
    record Rebuilding(String reason) implements PoolStanding {}

    /**
     * It has ended: nothing is asked of Redis for it any more.
     *
     * @param books as they were in the end
     */
    record Archived(Books books) implements PoolStanding {}

    /** No such pool was ever asked for. */
    record Unknown() implements PoolStanding {}
}
