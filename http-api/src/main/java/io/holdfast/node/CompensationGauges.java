package io.holdfast.node;

import io.holdfast.compensation.view.CompensationQueries;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compensations that are not over, read now and then as {@link ReadSideGauges} reads. */
final class CompensationGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CompensationGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final String PENDING = "holdfast.compensation.pending";
    private static final String MANUAL = "holdfast.compensation.manual";
    private static final String OLDEST = "holdfast.compensation.oldest.age.seconds";

    private final MeterRegistry registry;
    private final CompensationQueries queries;
    private final Map<String, Double> readings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast compensation gauges").factory());

    CompensationGauges(MeterRegistry registry, CompensationQueries queries) {
        this.registry = registry;
        this.queries = queries;
    }

    /** Begins to read. Once. */
    void start() {
        gauge(PENDING, "compensations with a journal of their own that are not over");
        gauge(MANUAL, "those of them that wait for a person");
        gauge(OLDEST, "age of the oldest that is not over");
        thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void gauge(String name, String meaning) {
        Gauge.builder(name, readings, all -> all.getOrDefault(name, 0.0))
                .description(meaning)
                .register(registry);
    }

    private void read() {
        try {
            CompensationQueries.Waiting waiting = queries.waiting();
            readings.put(PENDING, (double) waiting.pending());
            readings.put(MANUAL, (double) waiting.manual());
            readings.put(OLDEST, waiting.oldestSeconds());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("compensations could not be counted", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
