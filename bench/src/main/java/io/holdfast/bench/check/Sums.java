package io.holdfast.bench.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Compares what was acknowledged with the journals, and the journals with Redis. */
public final class Sums {

    private static final int SHOWN = 10;

    private Sums() {}

    /**
     * What callers were told of one pool.
     *
     * @param held holds that were acknowledged and not confirmed
     * @param confirmed holds that were confirmed
     */
    public record Told(long held, long confirmed) {}

    /**
     * Compares pool by pool.
     *
     * @param told by pool; each hold is of one unit
     * @param moves by the pool itself, its creation among them
     * @return what is off; empty when every sum agrees
     */
    public static List<String> compare(
            Map<String, Told> told, JournalSums journal, Map<String, RedisBooks> redis, long moves) {
        List<String> off = new ArrayList<>();
        told.forEach((pool, wanted) -> {
            RedisBooks books = redis.get(pool);
            JournalSums.Pool sums = journal.pool(pool);
            if (books == null || !books.balanced()) {
                off.add(pool + ": the books in Redis do not balance: " + books);
                return;
            }
            same(off, pool + " reserved", wanted.held(), sums.reserved(), books, RedisBooks::reserved);
            same(off, pool + " sold", wanted.confirmed(), sums.sold(), books, RedisBooks::sold);
            if (books.version() != sums.moves() + moves) {
                off.add("%s: %d operations moved it according to the journals, but Redis is at version %d"
                        .formatted(pool, sums.moves() + moves, books.version()));
            }
        });
        return off.size() <= SHOWN ? off : shortened(off);
    }

    private static void same(
            List<String> off,
            String what,
            long told,
            long journal,
            RedisBooks books,
            ToLongFunction<RedisBooks> redis) {
        if (told != journal || journal != redis.applyAsLong(books)) {
            off.add("%s: %d acknowledged, %d in the journals, %d in Redis"
                    .formatted(what, told, journal, redis.applyAsLong(books)));
        }
    }

    private static List<String> shortened(List<String> off) {
        List<String> some = new ArrayList<>(off.subList(0, SHOWN));
        some.add("and " + (off.size() - SHOWN) + " more");
        return some;
    }
}
