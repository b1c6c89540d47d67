package io.holdfast.reservation.domain;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A change of a pool that is not an order's. Its id is the caller's idempotency key: asked twice it happens once. They happen one after
 * the other, in order of arrival.
 */
public sealed interface PoolOperation extends StockPoolCommand {

    /** The caller's idempotency key: 1 to 3 {@link Ids parts}, joined by colons. Another one is refused. */
    String operationId();

    /** Whether the other asks for the same, under the same id. What we add to a request ourselves is no part of that. */
    default boolean asksTheSame(PoolOperation other) {
        return equals(other);
    }

    /**
     * Creates the pool with everything available.
     *
     * @param total units, at least 0; of a sale with several pools, those of all of them
     * @param tag the hash tag it shares with other pools in Redis, for ever; empty where it has its own
     * @param sale what its gate keeps to; empty for a pool without one
     */
    record Init(String operationId, long total, Optional<String> tag, Optional<Sale> sale) implements PoolOperation {
        /** @throws IllegalArgumentException if the total is not 0 to 2^53 - 1, or the tag is not ids joined by colons */
        public Init {
            Ids.notNegative("total", total);
            if (tag.filter(text -> !Ids.isOperationKey(text)).isPresent()) {
                throw new IllegalArgumentException("a tag is 1 to 3 ids joined by colons");
            }
        }

        /** Of a pool without a gate. */
        public Init(String operationId, long total, Optional<String> tag) {
            this(operationId, total, tag, Optional.empty());
        }

        /** Of a pool without a gate that shares no tag. */
        public Init(String operationId, long total) {
            this(operationId, total, Optional.empty(), Optional.empty());
        }

        /** The same, of a pool of this tag. */
        public Init tagged(Optional<String> shared) {
            return new Init(operationId, total, shared, sale);
        }

        /** What this pool begins with. */
        public long units() {
            return buckets().map(bucket -> bucket.share(total)).orElse(total);
        }

        Optional<Buckets> buckets() {
            return sale.flatMap(Sale::buckets);
        }

        /** The same operation of another pool of the sale. It has a tag of its own: being apart is what buckets are for. */
        public Init at(Buckets bucket) {
            return new Init(operationId, total, Optional.empty(), sale.map(gate -> gate.at(bucket)));
        }

        /** Whether the other would create the same pool, whatever its id. */
        public boolean createsTheSame(Init other) {
            boolean sameSale = sale.isPresent() && other.sale.isPresent()
                    ? sale.get().asksTheSame(other.sale.get())
                    : sale.equals(other.sale);
            return total == other.total && sameSale;
        }

        @Override
        public boolean asksTheSame(PoolOperation other) {
            return other instanceof Init init && init.operationId.equals(operationId) && createsTheSame(init);
        }
    }

    /**
     * Sets a new total. What is held and sold stays; what the total lacks becomes the deficit. Of a sale with several pools it is the total
     * of all of them, the first one gains or loses the difference, and it must not lack anything.
     *
     * @param newTotal units, at least 0
     * @param expectedBaselineVersion the version the caller looked at; another one refuses the change
     */
    record Adjust(String operationId, long newTotal, OptionalLong expectedBaselineVersion) implements PoolOperation {
        /** @throws IllegalArgumentException if the total is not 0 to 2^53 - 1 */
        public Adjust {
            Ids.notNegative("new_total", newTotal);
        }
    }

    /**
     * Takes units off the total for another pool of the sale, if that many are available; that pool then gets them. Asked for in the open
     * only of pools that belong together, and never by a caller.
     *
     * @param operationId of the move, in both pools
     * @param to the pool that gets them
     * @param units at least 1
     * @param seen the pool's baseline version that whoever asks has seen in Redis: a move that names one is not kept for ever, and is
     *     refused where it is so old that it may have been forgotten; empty only in journals from before moves named any
     */
    record Give(String operationId, PoolId to, long units, OptionalLong seen) implements PoolOperation {
        /** @throws IllegalArgumentException if it names no units */
        public Give {
            Ids.positive("units", units);
        }

        @Override
        public boolean asksTheSame(PoolOperation other) {
            return other instanceof Give give
                    && give.operationId.equals(operationId)
                    && give.to.equals(to)
                    && give.units == units;
        }
    }

    /**
     * Adds units to the total that another pool of the sale has given, and has in its journal.
     *
     * @param operationId of the move, in both pools
     * @param from the pool that gave them
     * @param units at least 1
     * @param number greater than that of every earlier move from there: the baseline version of the pool that gave; empty only in
     *     journals from before moves had any
     */
    record Receive(String operationId, PoolId from, long units, OptionalLong number) implements PoolOperation {
        /** @throws IllegalArgumentException if it names no units */
        public Receive {
            Ids.positive("units", units);
        }

        @Override
        public boolean asksTheSame(PoolOperation other) {
            return other instanceof Receive receive
                    && receive.operationId.equals(operationId)
                    && receive.from.equals(from)
                    && receive.units == units;
        }
    }

    /** Takes no new holds for now. */
    record Pause(String operationId) implements PoolOperation {}

    /** Takes new holds again. */
    record Resume(String operationId) implements PoolOperation {}

    /** Takes no new holds any more; running reservations end normally. */
    record Close(String operationId) implements PoolOperation {}

    /** Ends a closed pool in which nothing is reserved and every reservation has ended: it moves nothing any more. */
    record Archive(String operationId) implements PoolOperation {}

    /**
     * Puts Redis right where it was found to differ from the journals, unless it has moved since it was looked at. The journals' sums are
     * not touched: they were right.
     *
     * @param rule what was found
     * @param seen the pool's numbers in Redis as they were looked at; at another version nothing is done
     * @param target the numbers from then on, one version later
     * @param fence put right together with them
     */
    record Repair(String operationId, String rule, Books seen, Books target, Optional<FenceRepair> fence)
            implements PoolOperation {
        /** @throws IllegalArgumentException if the target is none that a pool can have right after what was seen */
        public Repair {
            if (!target.balanced() || target.epoch() != seen.epoch() || target.version() != seen.version() + 1) {
                throw new IllegalArgumentException("no repair leads from " + seen + " to " + target);
            }
        }
    }
}
