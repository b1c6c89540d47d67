package io.holdfast.lua.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends what many callers wrote in few system calls: the first asks for a flush on another thread, and whatever is written until that
 * thread comes to it goes along. Nobody is held back on purpose; under load there is simply more to send each time.
 */
final class BatchedFlush {

    private final Executor executor;
    private final Runnable flush;
    private final AtomicBoolean due = new AtomicBoolean();

    /**
     * @param executor runs one task at a time
     * @param flush sends what was written
     */
    BatchedFlush(Executor executor, Runnable flush) {
        this.executor = executor;
        this.flush = flush;
    }

    /** What was written before this call will be sent. */
    void soon() {
        if (due.compareAndSet(false, true)) {
            try {
                executor.execute(this::now);
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
        flush.run();
    }
}
