package io.holdfast.lua;

import java.time.Instant;

/** What {@code handed_off} answered. The hold is off the list, whatever the answer. */
public sealed interface HandedOffReply permits HandedOffReply.HandedOff, HandedOffReply.Missing, GuardRefusal {

    /**
     * HANDED_OFF: the fence is there, in this epoch.
     *
     * @param phase of the fence now
     * @param books after the first run
     * @param at time of the first run
     */
    record HandedOff(Phase phase, Books books, Instant at, boolean repeated) implements HandedOffReply {}

    /** MISSING: Redis has no fence of this reservation. The pool cannot be trusted. */
    record Missing(Books books) implements HandedOffReply {}
}
