package io.holdfast.bench.raw;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** Threads that do one thing again and again, all from the same moment on, and count what they do after a warm-up. */
final class RawLoop {

    private static final long LONGEST_MICROS = 60_000_000L;

    private RawLoop() {}

    /** What one thread does. Opened before the start, closed after the end. */
    interface Doer extends AutoCloseable {
        /** Does it once more and says how many that were. */
        int once() throws Exception;

        @Override
        void close() throws SQLException;
    }

    /** Opens a thread's connection. */
    interface Opener {
        Doer open() throws Exception;
    }

    /**
     * Runs them.
     *
     * @param name what is done
     * @param openers one for each thread, by its number
     */
    static RawRate run(String name, int threads, IntFunction<Opener> openers, Duration warmUp, Duration counted)
            throws InterruptedException {
        var ready = new CountDownLatch(threads);
        var start = new CountDownLatch(1);
        Histogram sum = new Histogram(LONGEST_MICROS, 3);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Histogram>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Opener opener = openers.apply(i);
                all.add(pool.submit(() -> {
                    try (Doer doer = open(opener, ready)) {
                        start.await();
                        return loop(doer, warmUp, counted);
                    }
                }));
            }
            ready.await();
            start.countDown();
            for (Future<Histogram> one : all) {
                sum.add(one.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(name + " failed", e.getCause());
        }
        return RawRate.of(name, sum, counted.toNanos() / 1e9);
    }

    /** Ready, or failed: the others must not wait for it. */
    private static Doer open(Opener opener, CountDownLatch ready) throws Exception {
        try {
            return opener.open();
        } finally {
            ready.countDown();
        }
    }

    private static Histogram loop(Doer doer, Duration warmUp, Duration counted) throws Exception {
        Histogram micros = new Histogram(LONGEST_MICROS, 3);
        long now = System.nanoTime();
        long begin = now + warmUp.toNanos();
        long end = begin + counted.toNanos();
        while (now < end) {
            int done = doer.once();
            long then = System.nanoTime();
            if (now >= begin && then <= end) {
                micros.recordValueWithCount(Math.min((then - now) / 1000, LONGEST_MICROS), done);
            }
            now = then;
        }
        return micros;
    }
}
