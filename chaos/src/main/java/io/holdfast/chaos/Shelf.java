package io.holdfast.chaos;

import io.holdfast.client.Result;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The pools that are sold from: always one of dishes and one of a sale that has units left, and all those before. */
final class Shelf {

    static final String MERCHANT = "m1";
    static final String ACTIVITY = "spring";

    private static final String DAY = "2030-05-17";
    private static final long DISH_TOTAL = 40;
    private static final long SALE_TOTAL = 30;
    private static final int BUCKETS = 3;
    private static final long OPENS_BEFORE_SECONDS = 60;
    private static final long CLOSES_AFTER_SECONDS = 24 * 3600L;

    private final Fleet fleet;
    private final Map<String, Long> totals = new ConcurrentSkipListMap<>();
    private final Set<String> split = new ConcurrentSkipListSet<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile String dish = "";
    private volatile String sku = "";

    Shelf(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Total of every pool that was made, by id. */
    Map<String, Long> totals() {
        return Map.copyOf(totals);
    }

    String dish() {
        return dish;
    }

    String sku() {
        return sku;
    }

    static String poolOfDish(String dish) {
        return MERCHANT + ":" + dish + ":" + DAY;
    }

    static String poolOfSku(String sku) {
        return ACTIVITY + ":" + sku;
    }

    /** Every pool that the stock of this one lies in, itself first. */
    List<String> parts(String pool) {
        return split.contains(pool)
                ? Stream.concat(Stream.of(pool), IntStream.range(1, BUCKETS).mapToObj(bucket -> pool + ":b" + bucket))
                        .toList()
                : List.of(pool);
    }

    /** The sale that a pool is a part of; any other pool itself. */
    static String whole(String pool) {
        String[] parts = pool.split(":");
        return parts[0].equals(ACTIVITY) ? parts[0] + ":" + parts[1] : pool;
    }

    /** A new dish to sell, unless somebody else has put one there. */
    void nextDish(String soldOut) throws InterruptedException {
        if (!dish.equals(soldOut)) {
            return;
        }
        String next = "dish-" + numbers.incrementAndGet();
        if (made(poolOfDish(next), DISH_TOTAL, Map.of("total", DISH_TOTAL))) {
            dish = next;
        }
    }

    /** A new item of the sale, likewise; the stock of every second one lies in several buckets. */
    void nextSku(String soldOut) throws InterruptedException {
        if (!sku.equals(soldOut)) {
            return;
        }
        int number = numbers.incrementAndGet();
        String next = "sku-" + number;
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        int buckets = number % 2 == 0 ? BUCKETS : 1;
        if (buckets > 1) {
            split.add(poolOfSku(next));
        }
        Map<String, ?> sale = Map.of(
                "limit_per_user",
                2,
                "opens_at",
                now.minusSeconds(OPENS_BEFORE_SECONDS).toString(),
                "closes_at",
                now.plusSeconds(CLOSES_AFTER_SECONDS).toString(),
                "buckets",
                buckets);
        if (made(poolOfSku(next), SALE_TOTAL, Map.of("total", SALE_TOTAL, "sale", sale))) {
            sku = next;
        }
    }

    private boolean made(String pool, long total, Map<String, ?> body) throws InterruptedException {
        // Whatever the answer is, it may be made: then it is held to what it must be, too.
        totals.put(pool, total);
        return switch (fleet.put("/v1/pools/" + pool, body)) {
            case Result.Done _ -> true;
            case Result.Open _, Result.Unknown _, Result.NotTaken _ -> false;
            case Result.Refused(int status, String code, var problem) ->
                throw new ChaosException("The pool " + pool + " was refused: " + status + " " + code + " " + problem);
        };
    }
}
