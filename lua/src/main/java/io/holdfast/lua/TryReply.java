package io.holdfast.lua;

import java.time.Instant;

/** What {@code try} answered. */
public sealed interface TryReply
        permits TryReply.Held,
                TryReply.InsufficientStock,
                TryReply.Closed,
                TryReply.Paused,
                TryReply.Fenced,
                TryReply.Conflict,
                GuardRefusal {

    /**
     * HELD: the units are reserved; or were at first and have been confirmed since.
     *
     * @param books after the first run
     * @param at time of the first run
     * @param repeated whether this call found it done
     */
    record Held(Books books, Instant at, boolean repeated) implements TryReply {}

    /** SHORT: fewer units were available than asked. Final for this reservation, even if stock comes back. */
    record InsufficientStock(Books books, Instant at, boolean repeated) implements TryReply {}

    /** CLOSED: the pool takes no new holds any more. Final for this reservation. */
    record Closed(Books books, Instant at, boolean repeated) implements TryReply {}

    /** PAUSED: the pool took no holds at that moment. Final for this reservation, even if the pool resumes. */
    record Paused(Books books, Instant at, boolean repeated) implements TryReply {}

    /**
     * FENCED: the reservation ended before this call, so it holds nothing, whatever happened earlier.
     *
     * @param phase CANCELED or REFUNDED
     * @param books now
     */
    record Fenced(Phase phase, Books books) implements TryReply {}

    /**
     * CONFLICT: the reservation was tried with another quantity. Nothing changed.
     *
     * @param quantity the one of the first Try
     * @param books now
     */
    record Conflict(long quantity, Books books) implements TryReply {}
}
