package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;

/** What happened to a stock pool. The records' names and components are the journal's format. */
public sealed interface StockPoolEvent {

    /** An operation was asked for: it is owed to Redis, after those before it. */
    record OperationAccepted(PoolOperation operation) implements StockPoolEvent {}

    /** The pool exists in Redis. */
    record PoolInitialized(String operationId, Books books) implements StockPoolEvent {}

    /** The total is changed: set, or units have left for another pool of the sale or come in from one. */
    record TotalAdjusted(String operationId, long baselineVersion, Books books) implements StockPoolEvent {}

    /** No new holds for now. */
    record PoolPaused(String operationId, Books books) implements StockPoolEvent {}

    /** New holds again. */
    record PoolResumed(String operationId, Books books) implements StockPoolEvent {}

    /** No new holds any more. */
    record PoolClosed(String operationId, Books books) implements StockPoolEvent {}

    /** Nothing moves it any more: every reservation has ended, and Redis is no longer needed for it. */
    record PoolArchived(String operationId, Books books) implements StockPoolEvent {}

    /**
     * An attempt of the comparison or the rebuild that is owed may open the pool in Redis: whoever wrote this had all that was journaled
     * before.
     *
     * @param number of the comparison or the rebuild
     * @param attempt its operation id
     */
    record OpeningBegun(long number, String attempt) implements StockPoolEvent {}

    /**
     * Redis lets go of the archived pool.
     *
     * @param goneBy when none of its keys is left
     */
    record KeysLetGo(Instant goneBy) implements StockPoolEvent {}

    /** Redis is put right where it differed from the journals. */
    record StockRepaired(String operationId, Books books) implements StockPoolEvent {}

    /** The units of this move are in the journal of the pool they went to. */
    record UnitsDelivered(String operationId) implements StockPoolEvent {}

    /** An operation did not happen and will not. */
    record OperationRefused(String operationId, StockPoolRefusal reason) implements StockPoolEvent {}

    /** Redis is not believed any more; a comparison is owed. */
    record SuspicionRaised(String evidence, long verification) implements StockPoolEvent {}

    /** Another comparison is owed. */
    record VerificationStarted(long verification) implements StockPoolEvent {}

    /** A comparison found differences: the pool stays frozen. */
    record VerificationDiffered(long verification, DifferenceReport report, Instant nextAt) implements StockPoolEvent {}

    /**
     * A comparison found Redis and journals equal: the pool goes on where it was.
     *
     * @param books as found; empty where neither knows the pool yet
     */
    record PoolReopened(long verification, Optional<Books> books) implements StockPoolEvent {}

    /**
     * Redis is to be loaded anew.
     *
     * @param number comparisons and rebuilds are numbered together
     * @param epoch the pool's from then on; what Redis answered under an earlier one counts no more
     * @param reason why, in one sentence
     */
    record RebuildStarted(long number, long epoch, String reason) implements StockPoolEvent {}

    /**
     * Redis has what the journals say, and serves the pool.
     *
     * @param fences how many reservations have a fence in it
     * @param at when; new holds are let in little by little from then on
     */
    record PoolRebuilt(long number, Books books, long fences, Instant at) implements StockPoolEvent {}

    /** An event came under a known cause id with other content. It moved nothing. */
    record ContradictionNoticed(String causeId) implements StockPoolEvent {}
}
