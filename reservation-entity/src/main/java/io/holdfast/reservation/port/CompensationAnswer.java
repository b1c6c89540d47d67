package io.holdfast.reservation.port;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.util.Map;

/** What became of a compensation, once that is known. */
public sealed interface CompensationAnswer {

    /**
     * The hold was given back, now or before.
     *
     * @param units given back
     * @param books the pool's numbers after it
     */
    record Released(long units, Books books) implements CompensationAnswer {}

    /**
     * The refund was carried out, now or before.
     *
     * @param books the pool's numbers after it
     */
    record Refunded(Books books) implements CompensationAnswer {}

    /** The pool has ended: nothing is given back in Redis, only where it is recorded. */
    record TooLate() implements CompensationAnswer {}

    /**
     * The pool was loaded anew, and the reservation's journal does not have that epoch yet: nothing was asked of Redis. Once it has, this is
     * to be asked again.
     */
    record LoadedAnew(PoolEpoch seen) implements CompensationAnswer {}

    /**
     * A person decided that nothing moves, and how the reservation has ended.
     *
     * @param reason why, as that person put it
     */
    record Decided(Ending ending, String reason) implements CompensationAnswer {}

    /**
     * What Redis says contradicts the journal; nothing moved, and a person must look. Who then asks {@link Compensations#await} hears what was
     * decided.
     *
     * @param answer the script's answer
     * @param evidence what else it said
     */
    record Contradicted(String answer, Map<String, String> evidence) implements CompensationAnswer {
        public Contradicted {
            evidence = Map.copyOf(evidence);
        }
    }
}
