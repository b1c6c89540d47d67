package io.holdfast.lua.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.PoolTags;
import io.holdfast.lua.StockScripts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An implementation of the port, with what a test needs besides: a look and a hand behind it. */
public interface ScriptsUnderTest extends AutoCloseable {

    /** As the port must have been made: pools {@code shared…:dish:day} share the tag {@code shared…:day}. */
    PoolTags TAGS = pool -> CompletableFuture.completedFuture(Outcome.known(tag(pool)));

    /** The tag this pool shares, if it does. */
    static Optional<String> tag(String pool) {
        String[] parts = pool.split(":", 3);
        return pool.startsWith("shared") ? Optional.of(parts[0] + ":" + parts[2]) : Optional.empty();
    }

    /** The port. */
    StockScripts scripts();

    /** Runs a script with keys and arguments as they are, past the port. */
    List<?> raw(String script, List<String> keys, List<String> arguments);

    /** Identity of the Redis process, as the port passes it. */
    String processId();

    /** The stored fields of a key, empty where there is none. */
    Map<String, String> hash(String key);

    /** Members of a sorted set and their scores, the lowest first; empty where there is none. */
    Map<String, Long> scores(String key);

    /** Milliseconds until a key goes by itself; -1 for one that stays. */
    long lives(String key);

    /** Writes a field behind the scripts' back. */
    void put(String key, String field, String value);

    /** Removes a field behind the scripts' back. */
    void removeField(String key, String field);

    /** Removes a key behind the scripts' back. */
    void remove(String key);

    @Override
    void close();
}
