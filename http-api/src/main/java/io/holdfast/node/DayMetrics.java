package io.holdfast.node;

import io.holdfast.reservation.day.DayListener;
import io.holdfast.reservation.domain.PoolId;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts what the turn of the business days does on this node. */
final class DayMetrics implements DayListener {

    private final MeterRegistry registry;

    DayMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void done(Step step, PoolId pool) {
        count("holdfast.days.done", step);
    }

    @Override
    public void notDone(Step step, PoolId pool, String why) {
        count("holdfast.days.not-done", step);
    }

    @Override
    public void passed() {
        registry.counter("holdfast.days.passes").increment();
    }

    @Override
    public void failed(Throwable failure) {
        registry.counter("holdfast.days.failures").increment();
    }

    private void count(String name, Step step) {
        registry.counter(name, "step", step.name().toLowerCase(Locale.ROOT)).increment();
    }
}
