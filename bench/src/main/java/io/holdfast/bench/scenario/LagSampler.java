package io.holdfast.bench.scenario;

import io.holdfast.bench.load.Load;
import io.holdfast.engine.projection.Lag;
import io.holdfast.engine.projection.OwedProjection;
import io.holdfast.engine.projection.Projections;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.reservation.view.PoolViewProjection;
import io.holdfast.reservation.view.ReservationViewProjection;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Asks twice a second how old the oldest event is that a projection has not handled. */
final class LagSampler implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 500;

    private final Projections projections;
    private final Map<String, Histogram> micros = new LinkedHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lag-sampler").factory());
    private volatile boolean sampling;
    private @Nullable SQLException trouble;

    LagSampler(PostgresAddress database) {
        var source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        this.projections = new Projections(source);
        for (String name : List.of(OwedProjection.NAME, ReservationViewProjection.NAME, PoolViewProjection.NAME)) {
            micros.put(name, Load.empty());
        }
        var _ = thread.scheduleWithFixedDelay(this::ask, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whether to ask now. */
    void sample(boolean now) {
        sampling = now;
    }

    /**
     * What was seen.
     *
     * @throws IllegalStateException if something was not: the longest would be missing
     */
    synchronized void print(PrintStream out) {
        if (trouble != null) {
            throw new IllegalStateException("the lag could not be asked for", trouble);
        }
        micros.forEach((name, seen) -> out.printf(
                "lag of %s: ms p50 %.0f, p90 %.0f, longest %.0f (%d samples)%n",
                name,
                seen.getValueAtPercentile(50) / 1000.0,
                seen.getValueAtPercentile(90) / 1000.0,
                seen.getMaxValue() / 1000.0,
                seen.getTotalCount()));
    }

    private synchronized void ask() {
        if (!sampling) {
            return;
        }
        micros.forEach((name, seen) -> {
            try {
                Lag lag = projections.lag(name);
                seen.recordValue(Math.min(
                        Load.LONGEST_MICROS,
                        Math.max(0, lag.oldest().map(Duration::toNanos).orElse(0L) / 1000)));
            } catch (SQLException e) {
                trouble = e;
            }
        });
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
