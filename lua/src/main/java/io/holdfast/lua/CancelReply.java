package io.holdfast.lua;

import java.time.Instant;

/** What {@code cancel} answered. */
public sealed interface CancelReply
        permits CancelReply.Released,
                CancelReply.AlreadyReleased,
                CancelReply.FencedEmpty,
                CancelReply.Missing,
                CancelReply.ConfirmedAlready,
                CancelReply.OtherCompensation,
                CancelReply.Mismatch,
                GuardRefusal {

    /** RELEASED: the units were given back now, to the deficit first, the rest to available. */
    record Released(Books books, Instant at) implements CancelReply {}

    /**
     * ALREADY_RELEASED: the same operation released them before.
     *
     * @param books after that first run
     * @param at time of that first run
     */
    record AlreadyReleased(Books books, Instant at) implements CancelReply {}

    /** FENCED_EMPTY: nothing was held and nothing was expected; a late Try will be refused. No number changed. */
    record FencedEmpty(Books books, Instant at, boolean repeated) implements CancelReply {}

    /** MISSING: a hold was expected and Redis has no fence of this reservation. Nothing was written; the pool cannot be trusted. */
    record Missing(Books books) implements CancelReply {}

    /** CONFIRMED_ALREADY: the units are sold. Nothing changed. */
    record ConfirmedAlready(Books books) implements CancelReply {}

    /**
     * OTHER_COMPENSATION: another operation has given units of this reservation back. Nothing changed.
     *
     * @param phase of the fence
     * @param operationId the other operation; the last refund's where there were several
     */
    record OtherCompensation(Phase phase, String operationId, Books books) implements CancelReply {}

    /**
     * MISMATCH: what the fence says differs from what the caller says. Nothing changed.
     *
     * @param what which of quantity, expect_held (the fence was rejected or empty, a hold was expected)
     * @param phase of the fence
     */
    record Mismatch(String what, Phase phase, Books books) implements CancelReply {}
}
