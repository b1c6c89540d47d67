package io.holdfast.node;

import io.holdfast.reconciliation.sql.Reconciliations;
import io.holdfast.reconciliation.sql.Reconciliations.Standing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** How consistent the fleet's pools are, the same on every node. What was never compared is {@code NaN}. */
final class ReconciliationGauges {

    private static final Duration EVERY = Duration.ofSeconds(10);

    private ReconciliationGauges() {}

    /** Registers them, not read yet. */
    static SampledGauges<?> of(MeterRegistry registry, Reconciliations runs) {
        return new SampledGauges<Standing>(registry, "reconciliation", EVERY, runs::standing)
                .gauge(
                        "holdfast.reconciliation.consistent.ratio",
                        "share of pools that were compared and of which nothing differed",
                        ReconciliationGauges::consistent)
                .gauge(
                        "holdfast.reconciliation.not.compared.pools",
                        "pools that the latest run could not compare",
                        Standing::notComparedPools)
                .gauge(
                        "holdfast.reconciliation.oversellable.units",
                        "units Redis offers that are not there",
                        Standing::oversellable)
                .gauge(
                        "holdfast.reconciliation.undersold.units",
                        "units that are there and that Redis does not offer",
                        Standing::undersold)
                .gauge(
                        "holdfast.reconciliation.oversold.units",
                        "units promised beyond the total that are not stated as a deficit",
                        Standing::oversold)
                .gauge("holdfast.reconciliation.open.findings", "differences that are there", Standing::openFindings)
                .gauge(
                        "holdfast.reconciliation.oldest.finding.seconds",
                        "age of the oldest of them",
                        seen -> seen.oldestFindingSeconds().orElse(0.0))
                .gauge(
                        "holdfast.reconciliation.oldest.comparison.seconds",
                        "time since the pool was compared that waits longest",
                        seen -> seen.oldestComparisonSeconds().orElse(Double.NaN))
                .gauge(
                        "holdfast.reconciliation.watermark.lag.seconds",
                        "age of what was judged last",
                        seen -> seen.watermarkLagSeconds().orElse(Double.NaN))
                .gauge("holdfast.reconciliation.waiting.runs", "runs not done", Standing::waitingRuns);
    }

    /** A pool that can't be compared is not known to be consistent. */
    private static double consistent(Standing seen) {
        long pools = seen.comparedPools() + seen.notComparedPools();
        return pools == 0 ? Double.NaN : (double) seen.consistentPools() / pools;
    }
}
