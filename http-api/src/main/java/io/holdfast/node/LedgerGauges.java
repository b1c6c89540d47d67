package io.holdfast.node;

import io.holdfast.reservation.ledger.LedgerFigures;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How well the books of pools agree with themselves, read now and then as {@link ReadSideGauges} reads. */
final class LedgerGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final MeterRegistry registry;
    private final DataSource database;
    private final MultiGauge anomalies;
    private final Map<String, Double> readings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast ledger gauges").factory());

    LedgerGauges(MeterRegistry registry, DataSource database) {
        this.registry = registry;
        this.database = database;
        this.anomalies = MultiGauge.builder("holdfast.anomalies")
                .description("what was found to contradict itself, by type")
                .register(registry);
    }

    /** Begins to read. Once. */
    void start() {
        gauge("holdfast.sync.dead.reservations", "reservations of which the ledger lacks something for good");
        gauge("holdfast.sync.dead.oldest.seconds", "how long ago the first of them last changed");
        gauge("holdfast.sync.ratio", "share of reservations of which the ledger lacks nothing, 0 to 1");
        thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void gauge(String name, String meaning) {
        Gauge.builder(name, readings, all -> all.getOrDefault(name, Double.NaN))
                .description(meaning)
                .register(registry);
    }

    private void read() {
        try {
            LedgerFigures figures = LedgerFigures.read(database);
            readings.put("holdfast.sync.dead.reservations", (double) figures.dead());
            readings.put("holdfast.sync.dead.oldest.seconds", seconds(figures.oldestDead()));
            readings.put("holdfast.sync.ratio", figures.syncedRatio());
            List<MultiGauge.Row<?>> rows = figures.anomalies().entrySet().stream()
                    .<MultiGauge.Row<?>>map(type -> MultiGauge.Row.of(Tags.of("type", type.getKey()), type.getValue()))
                    .toList();
            anomalies.register(rows, true);
        } catch (SQLException | RuntimeException e) {
            readings.clear();
            LOG.debug("the ledger could not be measured", e);
        }
    }

    private static double seconds(Optional<Duration> age) {
        return age.map(Duration::toMillis).orElse(0L) / 1000.0;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
