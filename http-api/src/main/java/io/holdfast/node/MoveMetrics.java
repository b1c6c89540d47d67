package io.holdfast.node;

import io.holdfast.reservation.entity.MoveListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts moves between buckets of sales that this node has asked for, and their units, by how they ended; all of it from the start, as 0. */
final class MoveMetrics implements MoveListener {

    private final Map<End, Counted> counted;

    private record Counted(Counter moves, Counter units) {}

    MoveMetrics(MeterRegistry registry) {
        counted = Arrays.stream(End.values()).collect(Collectors.toUnmodifiableMap(Function.identity(), end -> {
            String label = end.name().toLowerCase(Locale.ROOT);
            return new Counted(
                    registry.counter("holdfast.gate.moves", "end", label),
                    registry.counter("holdfast.gate.moved.units", "end", label));
        }));
    }

    @Override
    public void moved(End end, long units) {
        Counted of = counted.get(end);
        if (of != null) {
            of.moves().increment();
            of.units().increment(units);
        }
    }
}
