package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import java.util.concurrent.CompletionStage;

/** Creates the pool of a business day from what the merchant has set out to sell, when it is first asked for. */
@FunctionalInterface
public interface DayPools {

    /** What came of it. */
    enum Opening {
        /** The pool exists now, or did already. */
        EXISTS,
        /** Nothing is set out for this dish on this day, or the day is over. */
        NOTHING_SET_OUT
    }

    /**
     * Has the pool created, once for however many ask and on however many nodes.
     *
     * @return never completes exceptionally; Unknown or Unavailable when it could not be created yet
     */
    CompletionStage<Outcome<Opening>> open(PoolId pool);
}
