package io.holdfast.lua.redis;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends what many callers wrote in few system calls, which cost both sides more than the calls themselves. A call that comes alone is sent
 * at once; what is written while a batch is under way is the next batch, and goes when the last answer to that one is in. So batches grow
 * with the load by themselves, as those of the journal do.
 */
final class BatchedFlush {

    /** The longest a call waits for the answers to others: a server that stands still must not keep from it what it would not see otherwise. */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final ScheduledExecutorService executor;
    private final Runnable flush;
    private final AtomicBoolean due = new AtomicBoolean();
    private final AtomicBoolean timed = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private volatile long underWayUpTo;

    /**
     * @param executor runs one task at a time
     * @param flush sends what was written; from any thread
     */
    BatchedFlush(ScheduledExecutorService executor, Runnable flush) {
        this.executor = executor;
        this.flush = flush;
    }

    /** One more call was written and will be sent. {@link #answered} must follow once, whatever becomes of it. */
    void soon() {
        written.incrementAndGet();
        if (due.compareAndSet(false, true)) {
            try {
                if (nothingUnderWay()) {
                    executor.execute(this::now);
                } else {
                    if (timed.compareAndSet(false, true)) {
                        executor.schedule(this::timeIsUp, LONGEST_NANOS, TimeUnit.NANOSECONDS);
                    }
                    // The last answer may have come before there was anything due.
                    flushIfAnswered();
                }
            } catch (RejectedExecutionException _) {
                // The client is being closed: what was written is sent, or refused by the closed connection, here and
                // now.
                now();
            }
        }
    }

    /** A call has its answer, or will have none. */
    void answered() {
        answered.incrementAndGet();
        flushIfAnswered();
    }

    private void flushIfAnswered() {
        if (due.get() && nothingUnderWay()) {
            now();
        }
    }

    private void timeIsUp() {
        timed.set(false);
        now();
    }

    private boolean nothingUnderWay() {
        return answered.get() >= underWayUpTo;
    }

    private void now() {
        // First: whoever writes from here on asks for another flush.
        if (due.compareAndSet(true, false)) {
            underWayUpTo = written.get();
            flush.run();
        }
    }
}
