package io.holdfast.bench.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Latencies in microseconds, written by each thread into a histogram of its own. */
final class Recorders {

    private static final long LONGEST_MICROS = 600_000_000L;
    private static final int DIGITS = 3;

    private final List<Own> all = new CopyOnWriteArrayList<>();
    private final ThreadLocal<SingleWriterRecorder> mine = ThreadLocal.withInitial(this::open);

    private static final class Own {
        private final SingleWriterRecorder recorder;
        private @Nullable Histogram spare;

        private Own(SingleWriterRecorder recorder) {
            this.recorder = recorder;
        }
    }

    static Histogram empty() {
        return new Histogram(LONGEST_MICROS, DIGITS);
    }

    void record(long micros) {
        mine.get().recordValue(Math.min(micros, LONGEST_MICROS));
    }

    /** What was recorded since this was last asked. */
    synchronized Histogram take() {
        Histogram sum = empty();
        for (Own own : all) {
            Histogram interval = own.recorder.getIntervalHistogram(own.spare);
            sum.add(interval);
            own.spare = interval;
        }
        return sum;
    }

    private SingleWriterRecorder open() {
        var recorder = new SingleWriterRecorder(LONGEST_MICROS, DIGITS);
        all.add(new Own(recorder));
        return recorder;
    }
}
