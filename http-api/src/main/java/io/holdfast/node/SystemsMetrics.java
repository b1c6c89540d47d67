package io.holdfast.node;

import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.systems.SystemFindingType;
import io.holdfast.reconciliation.systems.SystemsListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What comparisons across systems found and put right. */
final class SystemsMetrics implements SystemsListener {

    private final Map<FindingClass, AtomicLong> open = new EnumMap<>(FindingClass.class);
    private final Map<SystemFindingType, Counter> repairs = new EnumMap<>(SystemFindingType.class);

    SystemsMetrics(MeterRegistry registry) {
        for (FindingClass kind : FindingClass.values()) {
            AtomicLong count = new AtomicLong();
            open.put(kind, count);
            Gauge.builder("holdfast.systems.findings", count, AtomicLong::doubleValue)
                    .description("differences between systems that are open, as of the latest comparison by this node")
                    .tag("class", kind.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        for (SystemFindingType type : SystemFindingType.values()) {
            repairs.put(
                    type,
                    Counter.builder("holdfast.systems.repairs")
                            .description("ordinary commands given to put such a difference right")
                            .tag("type", type.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    @Override
    public void compared(Map<FindingClass, Long> found) {
        open.forEach((kind, count) -> count.set(found.getOrDefault(kind, 0L)));
    }

    @Override
    public void repaired(SystemFindingType type) {
        Counter counter = repairs.get(type);
        if (counter != null) {
            counter.increment();
        }
    }
}
