package io.holdfast.node;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.Lag;
import io.holdfast.engine.projection.Projections;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.gate.GateBacklog;
import io.holdfast.reservation.port.GatePressure;
import io.holdfast.reservation.view.ReservationViewProjection;
import io.holdfast.reservation.view.UnsentOrderRequests;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads now and then how much the gates have left behind, on threads of its own: whoever is at a gate gets the last reading and never
 * waits. Lists are read of the pools that this node was asked for of late.
 */
final class GateWatch implements GatePressure, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GateWatch.class);

    private static final Duration LISTS_EVERY = Duration.ofSeconds(1);
    private static final Duration VIEW_EVERY = Duration.ofSeconds(2);
    private static final Duration ASKED_OF_LATE = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final HandOver handOver;
    private final DataSource views;
    private final Supplier<Optional<String>> brokerTrouble;
    private final GateBacklog.Limits limits;
    private final Map<PoolId, Long> askedAt = new ConcurrentHashMap<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("holdfast-gate-", 0).factory());

    private volatile Map<PoolId, Long> listed = Map.of();
    private volatile View view = new View(UNREAD, Duration.ZERO, System.nanoTime());
    private volatile Optional<Long> brokerAwaySince = Optional.empty();
    private volatile GateBacklog backlog = GateBacklog.NONE;

    private static final UnsentOrderRequests UNREAD = new UnsentOrderRequests(0, Duration.ZERO);

    private record View(UnsentOrderRequests unsent, Duration lag, long readAt) {}

    /** @param brokerTrouble why the broker does not answer; empty while it does, or where there is none */
    GateWatch(
            HandOver handOver, DataSource views, Supplier<Optional<String>> brokerTrouble, GateBacklog.Limits limits) {
        this.handOver = handOver;
        this.views = views;
        this.brokerTrouble = brokerTrouble;
        this.limits = limits;
    }

    /** Begins to read. Once. */
    void start() {
        threads.scheduleWithFixedDelay(this::readLists, 0, LISTS_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        threads.scheduleWithFixedDelay(this::readView, 0, VIEW_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<Reason> on(PoolId pool) {
        long now = System.nanoTime();
        Long before = askedAt.get(pool);
        if (before == null || now - before > LISTS_EVERY.toNanos()) {
            askedAt.put(pool, now);
        }
        return backlog.on(pool, limits, ThreadLocalRandom.current().nextDouble());
    }

    /** Holds whose order has not been asked for, as they were read last. */
    UnsentOrderRequests unsent() {
        return view.unsent();
    }

    private void readLists() {
        try {
            long now = System.nanoTime();
            askedAt.values().removeIf(at -> now - at > ASKED_OF_LATE.toNanos());
            Map<PoolId, Long> read = new HashMap<>();
            for (PoolId pool : askedAt.keySet()) {
                Outcome<Long> length = handOver.listed(pool)
                        .toCompletableFuture()
                        .copy()
                        .completeOnTimeout(
                                Outcome.unknown("no answer in time"), LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
                if (length instanceof Outcome.Known<Long>(Long holds)) {
                    read.put(pool, holds);
                }
            }
            listed = read;
            brokerAwaySince = brokerTrouble.get().map(_ -> brokerAwaySince.orElse(now));
        } catch (RuntimeException e) {
            LOG.warn("The lists of sales could not be read.", e);
        }
        // The ages grow also while nothing can be read.
        put();
    }

    private void readView() {
        try {
            UnsentOrderRequests unsent = UnsentOrderRequests.read(views, Math.toIntExact(limits.unsent()));
            Lag lag = new Projections(views).lag(ReservationViewProjection.NAME);
            view = new View(unsent, lag.oldest().orElse(Duration.ZERO), System.nanoTime());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("How far the view is behind could not be read.", e);
        }
    }

    private void put() {
        long now = System.nanoTime();
        View known = view;
        Duration unread = Duration.ofNanos(now - known.readAt());
        backlog = new GateBacklog(
                listed,
                known.unsent().holds(),
                brokerAwaySince.map(since -> Duration.ofNanos(now - since)).orElse(Duration.ZERO),
                unread.compareTo(known.lag()) > 0 ? unread : known.lag());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
