package io.holdfast.reservation.ledger;

import io.holdfast.engine.projection.JournalRow;
import java.time.Instant;
import java.util.Optional;

/**
 * A change as the ledger keeps it.
 *
 * @param change what changed
 * @param causeId the request or message that led to it, where one is known
 * @param at when the event was written that tells of it
 * @param sequenceNumber of that event, in the journal of the reservation or else of the pool
 * @param xid transaction that wrote it
 * @param ordering its place among the rows of that transaction
 */
public record LedgerRow(
        LedgerChange change, Optional<String> causeId, Instant at, long sequenceNumber, long xid, long ordering) {

    /** A change with its place in the journal. */
    public static LedgerRow of(JournalRow event, LedgerChange change, Optional<String> causeId, Instant at) {
        return new LedgerRow(change, causeId, at, event.sequenceNumber(), event.xid(), event.ordering());
    }
}
