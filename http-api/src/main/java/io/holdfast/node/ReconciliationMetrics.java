package io.holdfast.node;

import io.holdfast.reconciliation.Finding;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reconciliation.ReconciliationListener;
import io.holdfast.reconciliation.Run;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what reconciliation does on this node, all of it from the start, as 0; writes down what somebody should look at. */
final class ReconciliationMetrics implements ReconciliationListener {

    private static final Logger LOG = LoggerFactory.getLogger(ReconciliationMetrics.class);
    private static final double P95 = 0.95;
    private static final double P99 = 0.99;

    private final MeterRegistry registry;
    private final DistributionSummary rows;
    private final Timer repairTime;

    ReconciliationMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (FindingType type : FindingType.values()) {
            for (FindingClass kind : FindingClass.values()) {
                findings(type, kind);
            }
            repairs(type);
        }
        for (String counted : List.of("compared", "moved", "races.lost", "pauses", "failures")) {
            registry.counter("holdfast.reconciliation." + counted);
        }
        registry.timer("holdfast.reconciliation.pool");
        registry.timer("holdfast.reconciliation.run");
        this.repairTime = Timer.builder("holdfast.reconciliation.repair.time")
                .description("from when a difference was first seen until it was put right")
                .publishPercentiles(P95, P99)
                .register(registry);
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
        findings(finding.type(), finding.kind()).increment();
        if (finding.type() != FindingType.NOT_COMPARED) {
            LOG.atWarn()
                    .addKeyValue(LogField.POOL, pool)
                    .addKeyValue(LogField.FOUND_AT, finding.object())
                    .log(
                            "reconciliation found {} ({}): journal {}; Redis {}",
                            finding.type(),
                            finding.kind(),
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
        repairs(type).increment();
        repairTime.record(after);
    }

    private Counter findings(FindingType type, FindingClass kind) {
        return registry.counter("holdfast.reconciliation.findings", "type", type.name(), "class", kind.name());
    }

    private Counter repairs(FindingType type) {
        return registry.counter("holdfast.reconciliation.repairs", "type", type.name());
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
