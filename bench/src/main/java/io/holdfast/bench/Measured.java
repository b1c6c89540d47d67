package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was measured of a load, all its turns together.
 *
 * @param seconds how long they were
 * @param micros latencies of the operations that ended in them
 * @param used processor time and memory, with the share of the work that was left for afterwards
 * @param failures operations that did not end as they should, warm-up included, by reason
 */
public record Measured(double seconds, Histogram micros, Meters.Reading used, Map<String, Long> failures) {

    /** Both together. */
    public Measured and(Measured other) {
        Histogram all = micros.copy();
        all.add(other.micros);
        Map<String, Long> failed = new TreeMap<>(failures);
        other.failures.forEach((why, count) -> failed.merge(why, count, Long::sum));
        return new Measured(seconds + other.seconds, all, used.and(other.used), failed);
    }

    /** How many operations ended as they should. */
    public long operations() {
        return micros.getTotalCount();
    }

    /** How many of them a second. */
    public double perSecond() {
        return operations() / seconds;
    }

    /** Half of them took no longer. */
    public double p50Millis() {
        return micros.getValueAtPercentile(50) / 1000.0;
    }

    /** 99 of 100 took no longer. */
    public double p99Millis() {
        return micros.getValueAtPercentile(99) / 1000.0;
    }

    /** The share of one operation in a sum. */
    public double each(long sum) {
        return (double) sum / Math.max(1, operations());
    }
}
