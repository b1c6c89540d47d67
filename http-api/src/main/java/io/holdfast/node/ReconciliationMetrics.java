package io.holdfast.node;

import io.holdfast.reconciliation.Finding;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reconciliation.ReconciliationListener;
import io.holdfast.reconciliation.Run;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what reconciliation does on this node, and writes down what somebody should look at. */
final class ReconciliationMetrics implements ReconciliationListener {

    private static final Logger LOG = LoggerFactory.getLogger(ReconciliationMetrics.class);
    private static final double P95 = 0.95;
    private static final double P99 = 0.99;

    private final MeterRegistry registry;
    private final DistributionSummary rows;

    ReconciliationMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.rows = DistributionSummary.builder("holdfast.reconciliation.rows.held")
                .description("rows held in memory at a time")
                .register(registry);
    }

    @Override
    public void pool(Duration took) {
        registry.timer("holdfast.reconciliation.pool").record(took);
    }

    @Override
    public void compared(int reservations, int rowsHeld) {
        registry.counter("holdfast.reconciliation.compared").increment(reservations);
        rows.record(rowsHeld);
    }

    @Override
    public void found(String pool, Finding finding) {
        registry.counter(
                        "holdfast.reconciliation.findings",
                        "type",
                        finding.type().name(),
                        "class",
                        finding.kind().name())
                .increment();
        if (finding.type() != FindingType.NOT_COMPARED) {
            LOG.warn(
                    "reconciliation found {} ({}) at {} of {}: journal {}; Redis {}",
                    finding.type(),
                    finding.kind(),
                    finding.object(),
                    pool,
                    finding.evidence().journal(),
                    finding.evidence().redis());
        }
    }

    @Override
    public void moved(int reservations) {
        registry.counter("holdfast.reconciliation.moved").increment(reservations);
    }

    @Override
    public void repaired(FindingType type, Duration after) {
        registry.counter("holdfast.reconciliation.repairs", "type", type.name()).increment();
        Timer.builder("holdfast.reconciliation.repair.time")
                .description("from when a difference was first seen until it was put right")
                .publishPercentiles(P95, P99)
                .register(registry)
                .record(after);
    }

    @Override
    public void raceLost() {
        registry.counter("holdfast.reconciliation.races.lost").increment();
    }

    @Override
    public void paused(String pool) {
        registry.counter("holdfast.reconciliation.pauses").increment();
        LOG.warn("{} takes no new holds while it is checked: three repairs lost their race", pool);
    }

    @Override
    public void ended(Run run) {
        run.startedAt()
                .flatMap(from -> run.finishedAt().map(to -> Duration.between(from, to)))
                .ifPresent(took -> registry.timer("holdfast.reconciliation.run").record(took));
        if (run.counts().findings() > 0 || run.failure().isPresent()) {
            LOG.warn("reconciliation {} {}: {}", run.id(), run.status(), run.counts());
        } else {
            LOG.info("reconciliation {} {}: {}", run.id(), run.status(), run.counts());
        }
    }

    @Override
    public void broke(Throwable failure) {
        registry.counter("holdfast.reconciliation.failures").increment();
    }
}
