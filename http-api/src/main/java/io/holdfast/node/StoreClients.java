package io.holdfast.node;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.RedisSection;
import io.holdfast.config.Settings;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.lua.redis.RedisClientSettings;
import io.holdfast.lua.redis.RedisStockScripts;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What entities need to reach the stores. Opened before this node joins its cluster, and so closed after it has left: until an entity is
 * handed over it works on, and others may be waiting for it.
 *
 * @param views connections of the read side
 * @param scripts the stock scripts on Redis
 * @param tags under which hash tags pools are there
 * @param processes the Redis processes that this node meets
 * @param blocking threads on which verifications read pages of the view
 * @param orders what orders need, where this fleet makes them
 */
record StoreClients(
        HikariDataSource views,
        RedisStockScripts scripts,
        LateTags tags,
        RedisProcesses processes,
        ExecutorService blocking,
        Optional<OrderClients> orders) {

    private static final Backoff RECONNECT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), 2, 0.2);
    private static final int VERIFICATION_THREADS = 2;

    static StoreClients open(
            Settings settings, HikariDataSource views, MeterRegistry registry, InstantSource clock, Closing closing) {
        var tags = new LateTags();
        var processes = new RedisProcesses(new ScriptMetrics(registry));
        var scripts = closing.add(
                "the connections to Redis", new RedisStockScripts(redis(settings.redis()), processes, tags));
        ExecutorService threads = Executors.newFixedThreadPool(
                VERIFICATION_THREADS,
                Thread.ofPlatform().daemon().name("holdfast-verification-", 0).factory());
        closing.add("the threads of verifications", threads::shutdownNow);
        return new StoreClients(views, scripts, tags, processes, threads, OrderClients.open(settings, clock, closing));
    }

    private static RedisClientSettings redis(RedisSection section) {
        return new RedisClientSettings(
                section.uris(),
                section.connectTimeout(),
                section.commandTimeout(),
                RECONNECT,
                section.probeInterval(),
                section.authority(),
                section.queue());
    }
}
