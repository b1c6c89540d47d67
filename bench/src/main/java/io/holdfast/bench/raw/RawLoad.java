package io.holdfast.bench.raw;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hashes taken out of a Redis, to be put into another database of it as fast as one connection takes them. */
public final class RawLoad {

    private static final int BATCH = 512;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<String> keys = new ArrayList<>();
    private final List<Map<String, String>> hashes = new ArrayList<>();

    private RawLoad() {}

    /** Every hash of Holdfast in this Redis. */
    public static RawLoad of(String uri) {
        var load = new RawLoad();
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            ScanIterator.scan(
                            connection.sync(), ScanArgs.Builder.matches("hf:*").limit(BATCH))
                    .forEachRemaining(load.keys::add);
            connection.setAutoFlushCommands(false);
            for (int from = 0; from < load.keys.size(); from += BATCH) {
                List<RedisFuture<Map<String, String>>> answers = load.keys.subList(from, load.end(from)).stream()
                        .map(key -> connection.async().hgetall(key))
                        .toList();
                connection.flushCommands();
                await(answers);
                answers.forEach(
                        answer -> load.hashes.add(answer.toCompletableFuture().join()));
            }
            return load;
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** How many hashes. */
    public int size() {
        return keys.size();
    }

    /** Writes them, batch after batch, into an empty database; how many seconds that took. */
    public double into(String uri) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.setAutoFlushCommands(false);
            long began = System.nanoTime();
            for (int from = 0; from < keys.size(); from += BATCH) {
                List<RedisFuture<Long>> answers = new ArrayList<>();
                for (int i = from; i < end(from); i++) {
                    answers.add(connection.async().hset(keys.get(i), hashes.get(i)));
                }
                connection.flushCommands();
                await(answers);
            }
            return (System.nanoTime() - began) / 1e9;
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private int end(int from) {
        return Math.min(from + BATCH, keys.size());
    }

    private static void await(List<? extends RedisFuture<?>> answers) {
        if (!LettuceFutures.awaitAll(PATIENCE, answers.toArray(RedisFuture[]::new))) {
            throw new IllegalStateException("Redis does not answer");
        }
    }
}
