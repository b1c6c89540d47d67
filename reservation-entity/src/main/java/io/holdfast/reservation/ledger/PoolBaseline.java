package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.StockPoolEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * What must be known of a pool's own journal to tell by how much its next event changes the numbers.
 *
 * @param total the current total
 * @param sequenceNumber the event it is of
 */
record PoolBaseline(long total, long sequenceNumber) {

    private static final long FIRST_EPOCH = 1;
    private static final long FIRST_VERSION = 1;

    /** Where an event leads, and what it changed. */
    record Step(PoolBaseline after, LedgerChange change) {}

    /**
     * What the event changed; empty where it moved no number.
     *
     * @param known empty before the pool was created
     * @throws IllegalStateException if no such pool can have met the event
     */
    static Optional<Step> next(Optional<PoolBaseline> known, String pool, long sequenceNumber, StockPoolEvent event) {
        return switch (event) {
            case StockPoolEvent.PoolInitialized(String operationId, Books books) -> {
                Books opening = opening(books);
                yield step(pool, sequenceNumber, LedgerAction.INIT, operationId, StockMove.begun(opening), opening);
            }
            case StockPoolEvent.TotalAdjusted(String operationId, var _, Books books) -> {
                long before = known.orElseThrow(
                                () -> new IllegalStateException(pool + " was adjusted before it was created"))
                        .total();
                yield step(
                        pool,
                        sequenceNumber,
                        LedgerAction.ADJUST,
                        operationId,
                        StockMove.adjusted(before, books),
                        books);
            }
            // What the rows before come to was right, and Redis is there again.
            case StockPoolEvent.StockRepaired(String operationId, Books books) ->
                step(pool, sequenceNumber, LedgerAction.REPAIR, operationId, new StockMove(0, 0, 0, 0, 0), books);
            // Of a pool that was being created, the Init comes with the same numbers and opens the book.
            case StockPoolEvent.PoolRebuilt(long number, Books books, var _, Instant _) ->
                known.isEmpty()
                        ? Optional.empty()
                        : step(
                                pool,
                                sequenceNumber,
                                LedgerAction.REBUILD,
                                "rebuild:" + number,
                                StockMove.begun(books),
                                books);
            case StockPoolEvent.OperationAccepted _,
                    StockPoolEvent.PoolPaused _,
                    StockPoolEvent.PoolResumed _,
                    StockPoolEvent.PoolClosed _,
                    StockPoolEvent.PoolArchived _,
                    StockPoolEvent.UnitsDelivered _,
                    StockPoolEvent.KeysLetGo _,
                    StockPoolEvent.OpeningBegun _,
                    StockPoolEvent.OperationRefused _,
                    StockPoolEvent.SuspicionRaised _,
                    StockPoolEvent.VerificationStarted _,
                    StockPoolEvent.VerificationDiffered _,
                    StockPoolEvent.PoolReopened _,
                    StockPoolEvent.RebuildStarted _,
                    StockPoolEvent.ContradictionNoticed _ -> Optional.empty();
        };
    }

    /** An Init whose answer was lost is known by what was found later, when holds may have moved the numbers already. */
    private static Books opening(Books found) {
        return found.epoch() == FIRST_EPOCH ? Books.expected(FIRST_EPOCH, FIRST_VERSION, found.total(), 0, 0) : found;
    }

    private static Optional<Step> step(
            String pool, long sequenceNumber, LedgerAction action, String operationId, StockMove move, Books after) {
        long quantity = switch (action) {
            case ADJUST -> Math.abs(move.total());
            case REPAIR -> 0;
            case INIT, REBUILD, TRY, CONFIRM, CANCEL, REFUND -> after.total();
        };
        return Optional.of(new Step(
                new PoolBaseline(after.total(), sequenceNumber),
                new LedgerChange(
                        pool, action, operationId, Optional.empty(), Optional.empty(), quantity, move, after, false)));
    }
}
