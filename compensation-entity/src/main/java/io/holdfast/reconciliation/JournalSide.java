package io.holdfast.reconciliation;

import io.holdfast.engine.projection.Passage;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the journals say, read from what is projected from them. Blocking. */
public interface JournalSide {

    /**
     * A reservation as the view has it.
     *
     * @param state as of the sequence number
     * @param updatedAt time of its latest event
     * @param sequenceNumber of that event
     */
    record Viewed(Reservation state, Instant updatedAt, long sequenceNumber) {}

    /** A position of the journal, and what was true when the view had passed it. */
    record Passed(long position, Passage.Passed how) {}

    /**
     * Pools there are that were created and are not archived, in the order of their ids.
     *
     * @param prefix all of their ids begin so
     */
    List<String> pools(String prefix, String after, int limit) throws SQLException;

    /** Takes the position of now and waits until the view has passed it; empty when patience ended, or the database could not be asked. */
    Optional<Passed> passedNow();

    /** Up to which moment everything that happened is sure to be in the view: now, less the oldest open transaction and the view's lag. */
    Instant settledUntil() throws SQLException;

    /**
     * The next reservations of a pool, in an order that stays: each is met once, whatever becomes of it meanwhile.
     *
     * @param after the last one seen; empty to begin
     * @param movedAfter leaves out those whose latest event is not later
     */
    List<Viewed> page(PoolId pool, Optional<String> after, Optional<Instant> movedAfter, int limit) throws SQLException;

    /**
     * Rows of a pool's ledger.
     *
     * @param rows how many
     * @param first the least version among them; 0 where there is none
     * @param opens whether the row that opens the book of the epoch is among them
     * @param sum of their deltas; its version is the last one asked for
     */
    record LedgerSum(long rows, long first, boolean opens, Books sum) {}

    /**
     * What the ledger has of a pool.
     *
     * @param after versions greater than this
     * @param upTo and not greater than that
     */
    LedgerSum ledger(PoolId pool, long epoch, long after, long upTo) throws SQLException;

    /** Whether a reservation of the pool owes an operation that may have happened. */
    boolean anyOwes(PoolId pool) throws SQLException;

    /** Those of these that the view has, whichever pool they are of, by id. */
    Map<String, Viewed> byId(List<String> reservationIds) throws SQLException;
}
