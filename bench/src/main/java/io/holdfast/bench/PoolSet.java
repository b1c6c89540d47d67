package io.holdfast.bench;

import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Pools that a load spreads its operations over, by their numbers. Each load has a set of its own, so that the sums of one say nothing
 * of another.
 */
public final class PoolSet {

    private static final String MERCHANT = "bench";
    private static final String DAY = "2030-05-17";

    private final String prefix;
    private final List<String> dishes;
    private final List<PoolId> pools;
    private final List<PoolChoice> choices;

    /** So many pools, whose dishes begin with these letters. */
    public PoolSet(String prefix, int count) {
        this.prefix = prefix;
        this.dishes = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        this.pools = dishes.stream()
                .map(dish -> new PoolId(MERCHANT + ":" + dish + ":" + DAY))
                .toList();
        this.choices = pools.stream().<PoolChoice>map(PoolChoice.Named::new).toList();
    }

    /** The letters that tell it from others. */
    public String prefix() {
        return prefix;
    }

    /** Their ids. */
    public List<PoolId> pools() {
        return pools;
    }

    /** How many of the operations 0 to {@code begun - 1} go to the pool of this place. */
    public long share(int place, long begun) {
        return begun / pools.size() + (place < begun % pools.size() ? 1 : 0);
    }

    /** The pool of an operation, named as a caller names it. */
    public PoolChoice pool(long number) {
        return choices.get(place(number));
    }

    /** The order line of an operation. */
    public Line line(long number) {
        return new Line(MERCHANT, dishes.get(place(number)), "o" + number, "i" + number, Optional.empty());
    }

    private int place(long number) {
        return (int) (number % pools.size());
    }
}
