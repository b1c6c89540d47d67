package io.holdfast.lua;

import java.time.Instant;

/** What {@code confirm} answered. */
public sealed interface ConfirmReply
        permits ConfirmReply.Confirmed,
                ConfirmReply.Conflict,
                ConfirmReply.Exceeds,
                ConfirmReply.Contradiction,
                ConfirmReply.Missing,
                GuardRefusal {

    /**
     * CONFIRMED: the units are sold, what was held beyond them is released.
     *
     * @param books after the first run
     * @param released units given back by it: to the deficit first, the rest to available
     */
    record Confirmed(Books books, long released, Instant at, boolean repeated) implements ConfirmReply {}

    /**
     * CONFLICT: confirmed before, with another quantity. Nothing changed.
     *
     * @param quantity the one confirmed
     */
    record Conflict(long quantity, Books books) implements ConfirmReply {}

    /**
     * EXCEEDS: the reservation holds fewer units. Nothing changed.
     *
     * @param left units it still holds
     */
    record Exceeds(long left, Books books) implements ConfirmReply {}

    /** CONTRADICTION: the fence is CANCELED, REFUNDED or REJECTED. Nothing changed. */
    record Contradiction(Phase phase, Books books) implements ConfirmReply {}

    /** MISSING: Redis has no fence of this reservation. Nothing was written; the pool cannot be trusted. */
    record Missing(Books books) implements ConfirmReply {}
}
