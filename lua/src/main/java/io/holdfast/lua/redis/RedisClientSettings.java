package io.holdfast.lua.redis;

import io.holdfast.engine.effect.Backoff;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How Redis is reached.
 *
 * @param uris one {@code redis://}, {@code rediss://} or {@code redis-sentinel://} URI; or two and more {@code redis(s)://} URIs: nodes of
 *     a Redis Cluster, of which one must answer
 * @param connectTimeout longest wait for a connection to be open and checked; 100 ms to 1 min. Callers wait for it when there is none
 * @param commandTimeout longest wait for an answer, after which the outcome is unknown; 10 ms to 1 min
 * @param reconnect wait between attempts to connect, during which calls are refused at once
 * @param probeInterval how often an open connection is checked anew, 100 ms to 1 min: how long a dead, demoted or exchanged server may go
 *     unnoticed while nobody calls
 * @param authority PEM file with the certificates of those that sign the server's; empty: the JVM's own
 * @param requestQueueSize unanswered calls per connection, 1 and up; further ones are refused at once
 */
public record RedisClientSettings(
        List<String> uris,
        Duration connectTimeout,
        Duration commandTimeout,
        Backoff reconnect,
        Duration probeInterval,
        Optional<Path> authority,
        int requestQueueSize) {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Who signs servers' certificates is what the JVM believes. */
    public RedisClientSettings(
            List<String> uris,
            Duration connectTimeout,
            Duration commandTimeout,
            Backoff reconnect,
            Duration probeInterval,
            int requestQueueSize) {
        this(uris, connectTimeout, commandTimeout, reconnect, probeInterval, Optional.empty(), requestQueueSize);
    }

    public RedisClientSettings {
        uris = List.copyOf(uris);
        if (uris.isEmpty()) {
            throw new IllegalArgumentException("redis uris: name at least one");
        }
        for (String uri : uris) {
            if (uri.startsWith("redis-sentinel")
                    ? uris.size() > 1
                    : !uri.startsWith("redis://") && !uri.startsWith("rediss://")) {
                throw new IllegalArgumentException(
                        "redis uris: one redis://, rediss:// or redis-sentinel:// URI, or several redis(s):// URIs of"
                                + " a cluster");
            }
            RedisURI.create(uri);
        }
        within("redis connect time-out", connectTimeout, Duration.ofMillis(100));
        within("redis command time-out", commandTimeout, Duration.ofMillis(10));
        within("redis probe interval", probeInterval, Duration.ofMillis(100));
        if (requestQueueSize < 1) {
            throw new IllegalArgumentException("redis request queue size: at least 1, but is " + requestQueueSize);
        }
    }

    private static void within(String name, Duration value, Duration shortest) {
        if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + ": " + shortest + " to " + LONGEST + ", but is " + value);
        }
    }

    /** URIs may have a password: kept out of logs. */
    @Override
    public String toString() {
        return "RedisClientSettings[" + uris.size() + " URI(s), connectTimeout=" + connectTimeout + ", commandTimeout="
                + commandTimeout + ", reconnect=" + reconnect + ", probeInterval=" + probeInterval
                + ", requestQueueSize=" + requestQueueSize + "]";
    }
}
