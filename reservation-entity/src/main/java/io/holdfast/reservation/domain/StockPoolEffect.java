package io.holdfast.reservation.domain;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import java.util.Optional;

/** What a stock pool may owe Redis. */
public sealed interface StockPoolEffect extends Effect {

    /** Which pool. */
    PoolId pool();

    /** Epoch of the pool. */
    long epoch();

    /** Verifications and rebuilds of the pool begun before; goes back with the outcome, and is no part of what is done. */
    long generation();

    /**
     * Creates the pool.
     *
     * @param key the caller's operation id
     * @param sale what its gate keeps to; empty for a pool without one
     */
    record InitPool(
            PoolId pool, long epoch, String key, long total, Optional<Sale> sale, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        /** Of a pool without a gate. */
        public InitPool(PoolId pool, long epoch, String key, long total, long generation, RetryPolicy retry) {
            this(pool, epoch, key, total, Optional.empty(), generation, retry);
        }

        @Override
        public String operationId() {
            return operationId(key);
        }

        /** That of the operation with this key, which a rebuild of a pool that is being created goes on with. */
        public static String operationId(String key) {
            return "INIT:" + key;
        }

        @Override
        public String name() {
            return "pool-init";
        }
    }

    /**
     * Sets a new total under the next baseline version.
     *
     * @param ofSale whether the pool has a gate
     */
    record AdjustPool(
            PoolId pool,
            long epoch,
            String key,
            long newTotal,
            long baselineVersion,
            boolean ofSale,
            long generation,
            RetryPolicy retry)
            implements StockPoolEffect {
        /** Of a pool without a gate. */
        public AdjustPool(
                PoolId pool,
                long epoch,
                String key,
                long newTotal,
                long baselineVersion,
                long generation,
                RetryPolicy retry) {
            this(pool, epoch, key, newTotal, baselineVersion, false, generation, retry);
        }

        @Override
        public String operationId() {
            return "ADJUST:" + key;
        }

        @Override
        public String name() {
            return "pool-adjust";
        }
    }

    /** Pauses, resumes or closes the pool. */
    record SetPoolStatus(PoolId pool, long epoch, String key, Target target, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        /** The status it gets. */
        public enum Target {
            OPEN,
            PAUSED,
            CLOSED
        }

        @Override
        public String operationId() {
            return "STATUS:" + key;
        }

        @Override
        public String name() {
            return "pool-status";
        }
    }

    /** Puts numbers, and a fence, right that have not moved since they were looked at. */
    record RepairPool(PoolId pool, long epoch, PoolOperation.Repair repair, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        @Override
        public String operationId() {
            return "REPAIR:" + repair.operationId();
        }

        @Override
        public String name() {
            return "pool-repair";
        }
    }

    /**
     * Sees to it that every reservation of a closed pool has ended, and ends the pool in Redis. Another generation is another operation:
     * the one before may have been undone by a comparison.
     */
    record ArchivePool(PoolId pool, long epoch, String key, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        @Override
        public String operationId() {
            return "ARCHIVE-" + generation + ":" + key;
        }

        @Override
        public String name() {
            return "pool-archive";
        }
    }

    /** Has Redis let go of the keys of an archived pool after a while. It is journaled as archived before, so it never serves without them. */
    record LetKeysGo(PoolId pool, long epoch, long generation, RetryPolicy retry) implements StockPoolEffect {
        @Override
        public String operationId() {
            return "LET-GO:" + pool.value();
        }

        @Override
        public String name() {
            return "pool-let-go";
        }
    }

    /**
     * Freezes the pool in Redis, waits until the view shows everything journaled so far, compares every reservation with its fence and
     * the sums with the books, and opens the pool again where all is equal.
     *
     * @param kept the state the comparison is against, with the operation that may or may not have happened
     */
    record VerifyPool(PoolId pool, long epoch, long number, StockPool.Trusted kept, RetryPolicy retry)
            implements StockPoolEffect {
        @Override
        public long generation() {
            return number;
        }

        @Override
        public String operationId() {
            return "VERIFY:" + number;
        }

        @Override
        public String name() {
            return "pool-verify";
        }
    }

    /**
     * Raises the pool's epoch in Redis, waits until the view shows everything journaled so far, and loads numbers and fences from it.
     *
     * @param epoch the one it gets
     * @param kept the state it goes on in; the operation in flight has not happened
     */
    record RebuildPool(PoolId pool, long epoch, long number, StockPool.Trusted kept, RetryPolicy retry)
            implements StockPoolEffect {
        @Override
        public long generation() {
            return number;
        }

        @Override
        public String operationId() {
            return "REBUILD:" + number;
        }

        @Override
        public String name() {
            return "pool-rebuild";
        }
    }
}
