package io.holdfast.reservation.domain;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The epochs under which a reservation may call the scripts of its pools, since its journal has them. A pool that is not named is at its
 * first, so where nothing was ever loaded anew there is none of this.
 *
 * @param pools in the order of their ids, each once
 */
public record Epochs(List<PoolEpoch> pools) {

    /** The epoch of a pool that was never loaded anew. */
    public static final long FIRST = StockPoolMachine.FIRST_EPOCH;

    public Epochs {
        pools = List.copyOf(pools);
    }

    /** The pool's epoch among these. */
    public static long of(Optional<Epochs> known, PoolId pool) {
        // Asked for each hold, and nearly always of pools that were never loaded anew.
        if (known.isPresent()) {
            for (PoolEpoch one : known.get().pools()) {
                if (one.pool().equals(pool)) {
                    return one.epoch();
                }
            }
        }
        return FIRST;
    }

    /** These with that one, unless it is older than what is known of its pool. */
    public static Optional<Epochs> with(Optional<Epochs> known, PoolEpoch seen) {
        if (seen.epoch() <= of(known, seen.pool())) {
            return known;
        }
        Stream<PoolEpoch> others = known.stream()
                .flatMap(epochs -> epochs.pools().stream())
                .filter(one -> !one.pool().equals(seen.pool()));
        return Optional.of(new Epochs(Stream.concat(others, Stream.of(seen))
                .sorted(Comparator.comparing(one -> one.pool().value()))
                .toList()));
    }
}
