package io.holdfast.node;

import io.holdfast.reservation.day.DayListener;
import io.holdfast.reservation.domain.PoolId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts what the turn of the business days does on this node. All there is to count is shown from the start, as 0. */
final class DayMetrics implements DayListener {

    private final Map<Step, Counter> done = new EnumMap<>(Step.class);
    private final Map<Step, Counter> notDone = new EnumMap<>(Step.class);
    private final Counter passes;
    private final Counter failures;

    DayMetrics(MeterRegistry registry) {
        for (Step step : Step.values()) {
            String name = step.name().toLowerCase(Locale.ROOT);
            done.put(step, registry.counter("holdfast.days.done", "step", name));
            notDone.put(step, registry.counter("holdfast.days.not-done", "step", name));
        }
        this.passes = registry.counter("holdfast.days.passes");
        this.failures = registry.counter("holdfast.days.failures");
    }

    @Override
    public void done(Step step, PoolId pool) {
        Objects.requireNonNull(done.get(step)).increment();
    }

    @Override
    public void notDone(Step step, PoolId pool, String why) {
        Objects.requireNonNull(notDone.get(step)).increment();
    }

    @Override
    public void passed() {
        passes.increment();
    }

    @Override
    public void failed(Throwable failure) {
        failures.increment();
    }
}
