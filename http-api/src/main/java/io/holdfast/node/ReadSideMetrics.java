package io.holdfast.node;

import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.ProjectionListener;
import io.holdfast.engine.sweep.SweepListener;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what projections and the sweeper do on this node; the engine logs it. */
final class ReadSideMetrics implements ProjectionListener, SweepListener {

    private final MeterRegistry registry;

    ReadSideMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void advanced(String projection, int handled, int passedOver) {
        registry.counter("holdfast.projection.events", "projection", projection).increment(handled);
        if (passedOver > 0) {
            registry.counter("holdfast.projection.passed-over", "projection", projection)
                    .increment(passedOver);
        }
    }

    @Override
    public void parked(ParkedEntity entity) {
        registry.counter("holdfast.projection.parked", "projection", entity.projection())
                .increment();
    }

    @Override
    public void unparked(String projection, String persistenceId) {
        registry.counter("holdfast.projection.unparked", "projection", projection)
                .increment();
    }

    @Override
    public void failed(String projection, Throwable failure) {
        registry.counter("holdfast.projection.failures", "projection", projection)
                .increment();
    }

    @Override
    public void passed(int woken) {
        registry.counter("holdfast.sweeper.passes").increment();
        registry.counter("holdfast.sweeper.woken").increment(woken);
    }

    @Override
    public void planned(String machine) {
        registry.counter("holdfast.sweeper.timers", "machine", machine).increment();
    }

    @Override
    public void notWoken(String machine, String entityId, RuntimeException failure) {
        registry.counter("holdfast.sweeper.not-woken", "machine", machine).increment();
    }

    @Override
    public void failed(Throwable failure) {
        registry.counter("holdfast.sweeper.failures").increment();
    }
}
