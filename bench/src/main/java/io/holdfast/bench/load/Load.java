package io.holdfast.bench.load;

import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Something that asks again and again, here or in another process. */
public interface Load {

    /** The longest latency that is told apart, in microseconds: ten minutes. */
    long LONGEST_MICROS = 600_000_000L;

    /** A histogram of latencies in microseconds with nothing in it. */
    static Histogram empty() {
        return new Histogram(LONGEST_MICROS, 3);
    }

    /** Begins. Once. */
    void start();

    /** Latencies of operations that ended as they should, in microseconds, since this was last asked. */
    Histogram take();

    /**
     * Begins no more operations and waits for those on the way.
     *
     * @throws IllegalStateException if some have not ended after the patience
     */
    void stop(Duration patience) throws InterruptedException;

    /** How often operations ended otherwise, by reason. */
    Map<String, Long> failures();
}
