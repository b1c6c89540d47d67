package io.holdfast.reservation.domain;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which part of a sale a pool is, where the sale's stock lies in several of them. The first is the pool {@code activity:sku}, which speaks
 * for the sale; the others are {@code activity:sku:b1} and on. Each has a hash tag of its own, so in a Redis Cluster they lie on several
 * masters.
 *
 * @param count pools of the sale, 2 to 64
 * @param index of this one among them, from 0
 */
public record Buckets(int count, int index) {

    /** More than there is use for: every bucket is read before a sale is sold out. */
    public static final int MOST = 64;

    private static final String PREFIX = "b";

    /** @throws IllegalArgumentException if there is no such bucket */
    public Buckets {
        if (count < 2 || count > MOST || index < 0 || index >= count) {
            throw new IllegalArgumentException("a sale has 2 to " + MOST + " buckets, numbered from 0");
        }
    }

    /** Whether it speaks for the sale. */
    public boolean isFirst() {
        return index == 0;
    }

    /** What it begins with of this total; all shares come to it, and no two differ by more than one. */
    public long share(long total) {
        return total / count + (index < total % count ? 1 : 0);
    }

    /** The same sale's bucket of this index. */
    public Buckets at(int other) {
        return new Buckets(count, other);
    }

    /** All pools of the sale, the first one first. */
    public List<PoolId> pools(PoolId oneOfThem) {
        return IntStream.range(0, count)
                .mapToObj(bucket -> pool(oneOfThem, bucket))
                .toList();
    }

    /** The pools of the sale besides this one, which is the first. */
    List<PoolId> others(PoolId first) {
        return pools(first).subList(1, count);
    }

    /** The pool of this index. */
    public PoolId pool(PoolId oneOfThem, int bucket) {
        String first = oneOfThem.merchant() + ":" + oneOfThem.dish();
        return new PoolId(bucket == 0 ? first : first + ":" + PREFIX + bucket);
    }

    /** Whether units may go from a pool of this sale to that one. */
    boolean reaches(PoolId from, PoolId to) {
        return !from.equals(to) && pools(from).contains(to);
    }

    /** The index a pool would have in its sale; empty for one that is never a bucket but the first. */
    public static Optional<Integer> indexOf(PoolId pool) {
        return pool.third()
                .filter(part -> part.matches(PREFIX + "[1-9][0-9]?"))
                .map(part -> Integer.valueOf(part.substring(PREFIX.length())));
    }
}
