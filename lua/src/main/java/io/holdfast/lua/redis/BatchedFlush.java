package io.holdfast.lua.redis;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends what many callers wrote in few system calls, which cost both sides more than the calls themselves. A call that comes alone is
 * sent at once; under load one flush follows another after a pause, and takes along what was written meanwhile.
 */
final class BatchedFlush {

    /** Short beside the time a call waits for a busy Redis, long beside the time between two calls of a busy node. */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(400);

    private final ScheduledExecutorService executor;
    private final Runnable flush;
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile long lastAt = System.nanoTime() - PAUSE_NANOS;

    /**
     * @param executor runs one task at a time
     * @param flush sends what was written
     */
    BatchedFlush(ScheduledExecutorService executor, Runnable flush) {
        this.executor = executor;
        this.flush = flush;
    }

    /** What was written before this call will be sent. */
    void soon() {
        if (due.compareAndSet(false, true)) {
            try {
                long since = System.nanoTime() - lastAt;
                if (since >= PAUSE_NANOS) {
                    executor.execute(this::now);
                } else {
                    executor.schedule(this::now, PAUSE_NANOS - since, TimeUnit.NANOSECONDS);
                }
            } catch (RejectedExecutionException _) {
                // The client is being closed: what was written is sent, or refused by the closed connection, here and
                // now.
                now();
            }
        }
    }

    private void now() {
        // First: whoever writes from here on asks for another flush.
        due.set(false);
        lastAt = System.nanoTime();
        flush.run();
    }
}
