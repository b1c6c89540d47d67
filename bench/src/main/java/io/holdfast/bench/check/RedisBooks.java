package io.holdfast.bench.check;

import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers of pools as Redis holds them. */
public record RedisBooks(long total, long deficit, long available, long reserved, long sold, long version) {

    /** Reads those of these pools. */
    public static Map<String, RedisBooks> of(String uri, List<String> pools) {
        RedisClient client = RedisClient.create(uri);
        try (var connection = client.connect()) {
            Map<String, RedisBooks> books = new HashMap<>();
            for (String pool : pools) {
                Map<String, String> hash = connection.sync().hgetall("hf:{" + pool + "}:stock");
                books.put(
                        pool,
                        new RedisBooks(
                                number(hash, "total"),
                                number(hash, "deficit"),
                                number(hash, "available"),
                                number(hash, "reserved"),
                                number(hash, "sold"),
                                number(hash, "version")));
            }
            return books;
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** Whether the sums agree. */
    public boolean balanced() {
        return total + deficit == available + reserved + sold;
    }

    private static long number(Map<String, String> hash, String name) {
        return Long.parseLong(hash.getOrDefault(name, "-1"));
    }
}
