package io.holdfast.lua;

import java.time.Instant;

/** What {@code order_try} answered to the line that asked. */
public sealed interface OrderTryReply {

    /**
     * HELD: all lines of the group are.
     *
     * @param books of the line's pool after the first run
     * @param at time of the first run
     * @param repeated whether this call found it done
     */
    record Held(Books books, Instant at, boolean repeated) implements OrderTryReply {}

    /** SHORT: fewer units were available than the lines of the group in this pool ask for. No line is held, for good. */
    record InsufficientStock(Books books, Instant at, boolean repeated) implements OrderTryReply {}

    /** CLOSED: the line's pool takes no new holds any more. No line is held, for good. */
    record Closed(Books books, Instant at, boolean repeated) implements OrderTryReply {}

    /** PAUSED: the line's pool took no holds at that moment. No line is held, for good. */
    record Paused(Books books, Instant at, boolean repeated) implements OrderTryReply {}

    /** OTHER_LINE: another line could not be held. No line is, for good. */
    record OtherLine(Books books, Instant at, boolean repeated) implements OrderTryReply {}

    /**
     * FENCED: the line that asks ended before this call.
     *
     * @param phase CANCELED or REFUNDED
     * @param books now
     */
    record Fenced(Phase phase, Books books) implements OrderTryReply {}

    /**
     * CONFLICT: a line's fence is of another quantity, or of something else than this group. Nothing changed.
     *
     * @param reservation that line
     * @param books of the pool of the line that asks, now
     */
    record Conflict(String reservation, Books books) implements OrderTryReply {}

    /**
     * MISSING: the group is held according to its journal, and Redis has no fence of this line. Nothing was written.
     *
     * @param books now
     */
    record Missing(Books books) implements OrderTryReply {}

    /**
     * The guards refused. Nothing was written.
     *
     * @param pool which pool is not served so; empty where the call itself is malformed
     */
    record Refused(String pool, GuardRefusal refusal) implements OrderTryReply {}
}
