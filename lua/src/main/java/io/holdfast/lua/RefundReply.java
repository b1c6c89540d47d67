package io.holdfast.lua;

import java.time.Instant;

/** What {@code refund} answered. */
public sealed interface RefundReply
        permits RefundReply.Refunded,
                RefundReply.Conflict,
                RefundReply.Exceeds,
                RefundReply.Contradiction,
                RefundReply.Missing,
                RefundReply.Archived,
                GuardRefusal {

    /**
     * REFUNDED: done, once for this refund id.
     *
     * @param phase of the fence after the first run: REFUNDED when nothing is left
     * @param left units still held or sold after the first run
     * @param books after the first run; the version is the old one where nothing moved (sold and not restocked)
     */
    record Refunded(Phase phase, long left, Books books, Instant at, boolean repeated) implements RefundReply {}

    /**
     * CONFLICT: this refund id was used with other content. Nothing changed.
     *
     * @param quantity of the first refund
     * @param restock of the first refund
     * @param operationId of the first refund
     */
    record Conflict(long quantity, boolean restock, String operationId, Books books) implements RefundReply {}

    /**
     * EXCEEDS: more than is left of the reservation. Nothing changed.
     *
     * @param left units still held or sold, 0 when all are refunded
     */
    record Exceeds(long left, Books books) implements RefundReply {}

    /** CONTRADICTION: the fence is CANCELED or REJECTED, there is nothing to refund. Nothing changed. */
    record Contradiction(Phase phase, Books books) implements RefundReply {}

    /** MISSING: Redis has no fence of this reservation. Nothing was written; the pool cannot be trusted. */
    record Missing(Books books) implements RefundReply {}

    /** ARCHIVED: the pool changes no more; the refund belongs into ledger and journal alone. */
    record Archived(Books books) implements RefundReply {}
}
