package io.holdfast.bench.raw;

import org.HdrHistogram.Histogram;

/**
 * What a raw loop reached.
 *
 * @param name what was repeated
 * @param perSecond how often
 * @param p50Micros half of them took no longer; 0 where single ones were not timed
 */
public record RawRate(String name, double perSecond, long p50Micros) {

    /** From what was recorded in so many seconds. */
    static RawRate of(String name, Histogram micros, double seconds) {
        return new RawRate(name, micros.getTotalCount() / seconds, micros.getValueAtPercentile(50));
    }

    /** Two turns of the same, as one. */
    public RawRate and(RawRate other) {
        return new RawRate(name, (perSecond + other.perSecond) / 2, (p50Micros + other.p50Micros) / 2);
    }
}
