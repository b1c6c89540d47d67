package io.holdfast.lua;

import java.time.Instant;

/** What {@code admit} answered. Nothing is kept of who was turned away: the same request may be let in later. */
public sealed interface AdmitReply
        permits AdmitReply.Queued,
                AdmitReply.Fenced,
                AdmitReply.Conflict,
                AdmitReply.KnownAs,
                AdmitReply.Missing,
                AdmitReply.NoSale,
                AdmitReply.NotStarted,
                AdmitReply.Closed,
                AdmitReply.Paused,
                AdmitReply.LimitReached,
                AdmitReply.SoldOut,
                GuardRefusal {

    /**
     * QUEUED: the units are reserved, and the hold is listed for its actor; or were at first, whatever was sold since.
     *
     * @param deadline as it was when the request was let in
     * @param books after the first run
     * @param at time of the first run
     * @param repeated whether this call found it done
     */
    record Queued(Instant deadline, Books books, Instant at, boolean repeated) implements AdmitReply {}

    /**
     * FENCED: the reservation ended before this call, so it holds nothing, whatever happened earlier.
     *
     * @param phase CANCELED, REFUNDED or REJECTED
     */
    record Fenced(Phase phase, Books books) implements AdmitReply {}

    /**
     * CONFLICT: the reservation was held before, and this is not the same request. Nothing changed.
     *
     * @param quantity the one of then
     */
    record Conflict(long quantity, Books books) implements AdmitReply {}

    /**
     * KNOWN_AS: the user's request was let in under another reservation id, so the ids were made with different keys. Nothing changed.
     *
     * @param reservation the id of then
     */
    record KnownAs(String reservation, Books books) implements AdmitReply {}

    /** MISSING: the request was let in, and Redis has no fence of it. Nothing was written; the pool cannot be trusted. */
    record Missing(Books books) implements AdmitReply {}

    /** NO_SALE: the pool has no gate. */
    record NoSale(Books books) implements AdmitReply {}

    /**
     * NOT_STARTED: the sale has not begun.
     *
     * @param opensAt when it does
     */
    record NotStarted(Instant opensAt, Books books) implements AdmitReply {}

    /** CLOSED: the sale is over, by its window or because the pool was closed. */
    record Closed(Books books) implements AdmitReply {}

    /** PAUSED: nobody is let in at the moment. */
    record Paused(Books books) implements AdmitReply {}

    /**
     * LIMIT_REACHED: with these units the user would hold more than the limit.
     *
     * @param held units the user holds
     * @param limit units the user may hold
     */
    record LimitReached(long held, long limit, Books books) implements AdmitReply {}

    /** SOLD_OUT: fewer units are available than asked. True of this instant: units may come back. */
    record SoldOut(Books books) implements AdmitReply {}
}
