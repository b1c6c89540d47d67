package io.holdfast.node;

import io.holdfast.reservation.ledger.LedgerFigures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** How well the books of pools agree with themselves. */
final class LedgerGauges {

    private static final Duration EVERY = Duration.ofSeconds(15);

    private LedgerGauges() {}

    /** Registers them, not read yet. */
    static SampledGauges<?> of(MeterRegistry registry, DataSource database) {
        var anomalies = MultiGauge.builder("holdfast.anomalies")
                .description("what was found to contradict itself, by type")
                .register(registry);
        return new SampledGauges<LedgerFigures>(registry, "ledger", EVERY, () -> {
                    LedgerFigures figures = LedgerFigures.read(database);
                    anomalies.register(byType(figures), true);
                    return figures;
                })
                .gauge(
                        "holdfast.sync.dead.reservations",
                        "reservations of which the ledger lacks something for good",
                        LedgerFigures::dead)
                .gauge(
                        "holdfast.sync.dead.oldest.seconds",
                        "how long ago the first of them last changed",
                        figures -> SampledGauges.seconds(figures.oldestDead()))
                .gauge(
                        "holdfast.sync.ratio",
                        "share of reservations of which the ledger lacks nothing, 0 to 1",
                        LedgerFigures::syncedRatio);
    }

    private static List<MultiGauge.Row<?>> byType(LedgerFigures figures) {
        return figures.anomalies().entrySet().stream()
                .<MultiGauge.Row<?>>map(type -> MultiGauge.Row.of(Tags.of("type", type.getKey()), type.getValue()))
                .toList();
    }
}
