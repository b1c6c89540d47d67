package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** What a stock pool can be told. */
public sealed interface StockPoolCommand
        permits PoolOperation,
                StockPoolCommand.OperationDone,
                StockPoolCommand.OperationTurnedDown,
                StockPoolCommand.UnitsTaken,
                StockPoolCommand.KeysExpire,
                StockPoolCommand.BeginOpening,
                StockPoolCommand.AnsweredUnder,
                StockPoolCommand.Suspect,
                StockPoolCommand.Verify,
                StockPoolCommand.VerificationAnswered,
                StockPoolCommand.Rebuild,
                StockPoolCommand.RebuildAnswered,
                StockPoolCommand.WakeUp,
                StockPoolCommand.Contradicted {

    /** The operation in flight has happened in Redis. */
    record OperationDone(String operationId, Books books) implements StockPoolCommand {}

    /** The operation in flight was refused by Redis, for good. */
    record OperationTurnedDown(String operationId, StockPoolRefusal reason) implements StockPoolCommand {}

    /**
     * An attempt of the comparison or the rebuild of this number is about to open the pool in Redis, and does so once this is journaled.
     *
     * @param attempt its operation id
     */
    record BeginOpening(long number, String attempt) implements StockPoolCommand {}

    /** The journal of the pool that this move was for has its units. */
    record UnitsTaken(String operationId) implements StockPoolCommand {}

    /** Redis was told to let go of the keys of the archived pool, and will have by then. */
    record KeysExpire(Instant goneBy) implements StockPoolCommand {}

    /**
     * An outcome, with the generation of its effect. One that was asked for before the latest verification is not recorded: the Redis process
     * that did it may be gone, and the verification have counted it as not done.
     */
    record AnsweredUnder(long generation, StockPoolCommand outcome) implements StockPoolCommand {}

    /**
     * Redis can't be trusted for this pool: it is frozen and verified.
     *
     * @param evidence what was seen, in one sentence
     * @param epoch under which it was seen; news of an earlier epoch than the pool's changes nothing. Empty: of whichever it has
     */
    record Suspect(String evidence, OptionalLong epoch) implements StockPoolCommand {
        /** Seen of the pool as it is. */
        public Suspect(String evidence) {
            this(evidence, OptionalLong.empty());
        }
    }

    /**
     * Compares again now; a first comparison that is under way is not disturbed. A pool that its journal trusts is compared only if Redis
     * does not serve it.
     *
     * @param unserved why Redis does not serve the pool, in one sentence; empty if it does, or nobody knows
     */
    record Verify(Optional<String> unserved) implements StockPoolCommand {
        /** Nobody knows how Redis has it. */
        public Verify() {
            this(Optional.empty());
        }
    }

    /** A comparison is done. */
    record VerificationAnswered(long number, Finding finding) implements StockPoolCommand {}

    /** What a comparison of journals and Redis found. */
    sealed interface Finding {
        /** Equal, and Redis serves the pool again. */
        record Equal(Books books) implements Finding {}

        /** Redis has no such pool, and the journal does not know either whether it was created: nothing can have been held. */
        record NotCreatedYet() implements Finding {}

        /** Different: Redis stays frozen. */
        record Different(DifferenceReport report) implements Finding {}
    }

    /** Loads Redis anew from the journals, whatever it has; a rebuild that is under way is not disturbed. */
    record Rebuild() implements StockPoolCommand {}

    /** An attempt to rebuild is done. */
    record RebuildAnswered(long number, RebuildResult result) implements StockPoolCommand {}

    /** What came of an attempt to rebuild. */
    sealed interface RebuildResult {
        /**
         * Redis serves the pool again.
         *
         * @param fences how many reservations have a fence in it
         */
        record Opened(Books books, long fences) implements RebuildResult {}

        /**
         * Redis has a later epoch than the rebuild's: nothing was changed.
         *
         * @param epoch the one it has
         */
        record Overtaken(long epoch) implements RebuildResult {}
    }

    /** The time the state waits for may have come. */
    record WakeUp() implements StockPoolCommand {}

    /** An event came under a known cause id with other content. */
    record Contradicted(String causeId) implements StockPoolCommand {}
}
