package io.holdfast.node;

import io.holdfast.reconciliation.sql.Reconciliations;
import io.holdfast.reconciliation.sql.Reconciliations.Standing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How consistent the fleet's pools are, the same on every node. What can't be read, or was never compared, is {@code NaN}. */
final class ReconciliationGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReconciliationGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final Reconciliations runs;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast reconciliation gauges").factory());
    private volatile Optional<Standing> standing = Optional.empty();

    ReconciliationGauges(MeterRegistry registry, Reconciliations runs) {
        this.runs = runs;
        gauge(
                registry,
                "holdfast.reconciliation.consistent.ratio",
                "share of pools that were compared and of which nothing differed",
                ReconciliationGauges::consistent);
        gauge(
                registry,
                "holdfast.reconciliation.not.compared.pools",
                "pools that the latest run could not compare",
                Standing::notComparedPools);
        gauge(
                registry,
                "holdfast.reconciliation.oversellable.units",
                "units Redis offers that are not there",
                Standing::oversellable);
        gauge(
                registry,
                "holdfast.reconciliation.undersold.units",
                "units that are there and that Redis does not offer",
                Standing::undersold);
        gauge(
                registry,
                "holdfast.reconciliation.oversold.units",
                "units promised beyond the total that are not stated as a deficit",
                Standing::oversold);
        gauge(registry, "holdfast.reconciliation.open.findings", "differences that are there", Standing::openFindings);
        gauge(
                registry,
                "holdfast.reconciliation.oldest.finding.seconds",
                "age of the oldest of them",
                seen -> seen.oldestFindingSeconds().orElse(0.0));
        gauge(
                registry,
                "holdfast.reconciliation.oldest.comparison.seconds",
                "time since the pool was compared that waits longest",
                seen -> seen.oldestComparisonSeconds().orElse(Double.NaN));
        gauge(
                registry,
                "holdfast.reconciliation.watermark.lag.seconds",
                "age of what was judged last",
                seen -> seen.watermarkLagSeconds().orElse(Double.NaN));
        gauge(registry, "holdfast.reconciliation.waiting.runs", "runs not done", Standing::waitingRuns);
    }

    /** A pool that can't be compared is not known to be consistent. */
    private static double consistent(Standing seen) {
        long pools = seen.comparedPools() + seen.notComparedPools();
        return pools == 0 ? Double.NaN : (double) seen.consistentPools() / pools;
    }

    private void gauge(MeterRegistry registry, String name, String meaning, ToDoubleFunction<Standing> value) {
        Gauge.builder(
                        name,
                        this,
                        gauges -> gauges.standing.map(value::applyAsDouble).orElse(Double.NaN))
                .description(meaning)
                .register(registry);
    }

    void start() {
        var _ = thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void read() {
        try {
            standing = Optional.of(runs.standing());
        } catch (SQLException | RuntimeException e) {
            standing = Optional.empty();
            LOG.debug("reconciliation could not be measured", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
