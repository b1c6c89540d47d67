package io.holdfast.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Keeps a number of operations on the way: each begins where another ended, on the thread that ended it, so no thread of the load's own
 * stands between. Latencies are those of callers who wait for their answer before they ask again.
 */
public final class ClosedLoop implements Load {

    private final Operation operation;
    private final int outstanding;
    private final AtomicLong numbers;
    // Not one for each thread: pools that clear the memory of their threads after every task would make a new one each
    // time.
    private final Recorder recorder = new Recorder(LONGEST_MICROS, 3);
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final CountDownLatch atRest;
    private volatile boolean running = true;

    /**
     * A load that has not begun.
     *
     * @param outstanding operations on the way at any time
     * @param numbers where operations get their numbers; shared by loads whose operations must differ
     */
    public ClosedLoop(Operation operation, int outstanding, AtomicLong numbers) {
        this.operation = operation;
        this.outstanding = outstanding;
        this.numbers = numbers;
        this.atRest = new CountDownLatch(outstanding);
    }

    @Override
    public void start() {
        for (int i = 0; i < outstanding; i++) {
            new Slot().run();
        }
    }

    @Override
    public Histogram take() {
        return recorder.getIntervalHistogram();
    }

    @Override
    public Map<String, Long> failures() {
        Map<String, Long> counts = new TreeMap<>();
        failures.forEach((why, count) -> counts.put(why, count.sum()));
        return counts;
    }

    @Override
    public void stop(Duration patience) throws InterruptedException {
        requestStop();
        if (!atRest.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    atRest.getCount() + " operations are still on the way after " + patience.toSeconds() + " s");
        }
    }

    /** Begins no more operations, and waits for none. */
    void requestStop() {
        running = false;
    }

    /** One of the operations on the way. Operations that end before they have begun to return go round in a loop, not in depth. */
    private final class Slot implements Operation.Ended {

        private static final int BEGINNING = 0;
        private static final int BEGUN = 1;
        private static final int ENDED = 2;

        private final AtomicInteger progress = new AtomicInteger();
        private volatile long startedAt;

        private void run() {
            while (running) {
                progress.set(BEGINNING);
                startedAt = System.nanoTime();
                operation.begin(numbers.getAndIncrement(), this);
                if (progress.compareAndSet(BEGINNING, BEGUN)) {
                    return;
                }
            }
            atRest.countDown();
        }

        @Override
        public void asWished() {
            recorder.recordValue(Math.min((System.nanoTime() - startedAt) / 1000, LONGEST_MICROS));
            next();
        }

        @Override
        public void otherwise(String why) {
            failures.computeIfAbsent(why, _ -> new LongAdder()).increment();
            next();
        }

        private void next() {
            if (!progress.compareAndSet(BEGINNING, ENDED)) {
                run();
            }
        }
    }
}
