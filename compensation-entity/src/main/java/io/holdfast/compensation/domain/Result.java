package io.holdfast.compensation.domain;

import io.holdfast.reservation.domain.Books;

/** What a compensation came to. */
public sealed interface Result {

    /**
     * The hold is given back.
     *
     * @param units given back; none where nothing was held and nothing was expected
     * @param books the pool's numbers after it
     */
    record Released(long units, Books books) implements Result {}

    /** The refund is carried out; the pool's numbers after it. */
    record Refunded(Books books) implements Result {}

    /** The pool has ended: nothing is given back in Redis, only where it is recorded. */
    record TooLate() implements Result {}
}
