package io.holdfast.lua.redis;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.lua.conformance.ScriptsUnderTest;
import io.holdfast.lua.script.ScriptText;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A real Redis behind the suite's interface, with a second connection of its own for a look behind the port. */
final class RedisUnderTest implements ScriptsUnderTest {

    private final RedisStockScripts scripts;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    /** Port and look at one server. */
    RedisUnderTest(String uri) {
        this(uri, uri);
    }

    /**
     * @param uri where the port connects, a proxy for example
     * @param direct where the look behind it does
     */
    RedisUnderTest(String uri, String direct) {
        this(settings(uri), direct);
    }

    private RedisUnderTest(RedisClientSettings settings, String direct) {
        scripts = new RedisStockScripts(settings, ScriptListener.NONE, TAGS);
        client = RedisClient.create(direct);
        connection = client.connect();
    }

    /** Where every call has its answer, however late it comes on a busy machine. */
    static RedisUnderTest patient(String uri) {
        return new RedisUnderTest(settings(Duration.ofSeconds(30), uri), uri);
    }

    /** Settings with short waits. */
    static RedisClientSettings settings(String... uris) {
        return settings(Duration.ofSeconds(2), uris);
    }

    private static RedisClientSettings settings(Duration commandTimeout, String... uris) {
        return new RedisClientSettings(
                List.of(uris),
                Duration.ofSeconds(5),
                commandTimeout,
                new Backoff(Duration.ofMillis(10), Duration.ofMillis(100), 2, 0.2),
                Duration.ofMillis(500),
                10_000);
    }

    @Override
    public RedisStockScripts scripts() {
        return scripts;
    }

    /** Plain commands, past the port. */
    RedisCommands<String, String> redis() {
        return connection.sync();
    }

    @Override
    public List<?> raw(String script, List<String> keys, List<String> arguments) {
        return redis().eval(
                        ScriptText.loaded(script),
                        ScriptOutputType.MULTI,
                        keys.toArray(String[]::new),
                        arguments.toArray(String[]::new));
    }

    @Override
    public String processId() {
        return ServerInfo.read(redis().info()).processId();
    }

    @Override
    public Map<String, String> hash(String key) {
        return redis().hgetall(key);
    }

    @Override
    public Map<String, Long> scores(String key) {
        Map<String, Long> scores = new LinkedHashMap<>();
        redis().zrangeWithScores(key, 0, -1).forEach(one -> scores.put(one.getValue(), (long) one.getScore()));
        return scores;
    }

    @Override
    public long lives(String key) {
        return redis().pttl(key);
    }

    @Override
    public void put(String key, String field, String value) {
        redis().hset(key, field, value);
    }

    @Override
    public void removeField(String key, String field) {
        redis().hdel(key, field);
    }

    @Override
    public void remove(String key) {
        redis().del(key);
    }

    @Override
    public void close() {
        scripts.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
