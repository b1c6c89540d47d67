package io.holdfast.reservation.domain;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Give;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Receive;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import java.util.List;
import java.util.OptionalLong;

/** What a stock pool may owe Redis. */
public sealed interface StockPoolEffect extends Effect {

    /** Which pool. */
    PoolId pool();

    /** Epoch of the pool. */
    long epoch();

    /** Verifications and rebuilds of the pool begun before; goes back with the outcome, and is no part of what is done. */
    long generation();

    /**
     * Creates the pool, after the other pools of the sale, where it has several and this is the first.
     *
     * @param init as it was asked for
     */
    record InitPool(PoolId pool, long epoch, Init init, long generation, RetryPolicy retry) implements StockPoolEffect {
        /** The caller's operation id. */
        public String key() {
            return init.operationId();
        }

        /** The sale's total, where this pool keeps it in the final stock. */
        public OptionalLong finalStock() {
            return init.sale().isPresent()
                            && init.buckets().map(Buckets::isFirst).orElse(true)
                    ? OptionalLong.of(init.total())
                    : OptionalLong.empty();
        }

        @Override
        public String operationId() {
            return "INIT:" + key();
        }

        @Override
        public String name() {
            return "pool-init";
        }
    }

    /**
     * Sets a new total under the next baseline version.
     *
     * @param bound which totals it may be
     * @param finalStock the sale's total from then on, where this pool keeps it in the final stock; a move between pools leaves it as it is
     */
    record AdjustPool(
            PoolId pool,
            long epoch,
            String key,
            long newTotal,
            long baselineVersion,
            Bound bound,
            OptionalLong finalStock,
            long generation,
            RetryPolicy retry)
            implements StockPoolEffect {
        /** Which totals the pool may get. */
        public enum Bound {
            /** Any; what it lacks becomes the deficit. */
            ANY,
            /** One that takes away only what is available. */
            AVAILABLE,
            /** The same, since units go to another pool. */
            GIVEN,
            /** A greater one, since units have come from another pool; also of one that is closed. */
            RECEIVED
        }

        /** Of a pool without a gate. */
        public AdjustPool(
                PoolId pool,
                long epoch,
                String key,
                long newTotal,
                long baselineVersion,
                long generation,
                RetryPolicy retry) {
            this(pool, epoch, key, newTotal, baselineVersion, Bound.ANY, OptionalLong.empty(), generation, retry);
        }

        @Override
        public String operationId() {
            return (bound == Bound.RECEIVED ? "RECEIVE:" : "ADJUST:") + key;
        }

        @Override
        public String name() {
            return "pool-adjust";
        }
    }

    /**
     * Has the pool that units were given to journal that they are its own.
     *
     * @param give the move, of this pool
     * @param number its place among the moves of this pool: the baseline version that the units left under
     */
    record DeliverUnits(PoolId pool, long epoch, Give give, long number, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        /** As the other pool is told. */
        public Receive receipt() {
            return new Receive(give.operationId(), pool, give.units(), OptionalLong.of(number));
        }

        @Override
        public String operationId() {
            return "DELIVER:" + give.operationId();
        }

        @Override
        public String name() {
            return "pool-deliver";
        }
    }

    /**
     * Pauses, resumes or closes the pool.
     *
     * @param others pools of the sale that this one speaks for, which do the same first
     */
    record SetPoolStatus(
            PoolId pool, long epoch, String key, Target target, List<PoolId> others, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        /** Of a pool that speaks for itself. */
        public SetPoolStatus(PoolId pool, long epoch, String key, Target target, long generation, RetryPolicy retry) {
            this(pool, epoch, key, target, List.of(), generation, retry);
        }

        public SetPoolStatus {
            others = List.copyOf(others);
        }

        /** As the other pools are asked for it. */
        public PoolOperation operation() {
            return switch (target) {
                case OPEN -> new Resume(key);
                case PAUSED -> new Pause(key);
                case CLOSED -> new Close(key);
            };
        }

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
     *
     * @param others pools of the sale that this one speaks for, which do the same first
     */
    record ArchivePool(PoolId pool, long epoch, String key, List<PoolId> others, long generation, RetryPolicy retry)
            implements StockPoolEffect {
        /** Of a pool that speaks for itself. */
        public ArchivePool(PoolId pool, long epoch, String key, long generation, RetryPolicy retry) {
            this(pool, epoch, key, List.of(), generation, retry);
        }

        public ArchivePool {
            others = List.copyOf(others);
        }

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
