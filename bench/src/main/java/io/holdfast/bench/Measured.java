package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * A measured stretch of a load.
 *
 * @param seconds how long it was
 * @param micros latencies of the operations that ended in it
 * @param used processor time and memory, with the share of the work that was left for afterwards
 * @param failures operations of the whole load that did not end as they should, by reason
 */
record Measured(double seconds, Histogram micros, Meters.Reading used, Map<String, Long> failures) {

    long operations() {
        return micros.getTotalCount();
    }

    double perSecond() {
        return operations() / seconds;
    }

    double p50Millis() {
        return micros.getValueAtPercentile(50) / 1000.0;
    }

    double p99Millis() {
        return micros.getValueAtPercentile(99) / 1000.0;
    }

    double microsPerOperation(long micros) {
        return (double) micros / Math.max(1, operations());
    }
}
