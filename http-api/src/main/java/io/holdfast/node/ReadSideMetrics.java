package io.holdfast.node;

import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.ProjectionListener;
import io.holdfast.engine.sweep.SweepListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts what projections and the sweeper do on this node; the engine logs it. All there is to count is shown from the start, as 0. */
final class ReadSideMetrics implements ProjectionListener, SweepListener {

    private final MeterRegistry registry;

    /**
     * @param projections names of those that run here
     * @param machines names of those whose entities are woken
     */
    ReadSideMetrics(MeterRegistry registry, List<String> projections, List<String> machines) {
        this.registry = registry;
        for (String projection : projections) {
            for (String counted : List.of("events", "passed-over", "parked", "unparked", "failures")) {
                registry.counter("holdfast.projection." + counted, "projection", projection);
            }
        }
        for (String machine : machines) {
            registry.counter("holdfast.sweeper.timers", "machine", machine);
            registry.counter("holdfast.sweeper.not-woken", "machine", machine);
        }
        for (String counted : List.of("passes", "woken", "failures")) {
            registry.counter("holdfast.sweeper." + counted);
        }
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
