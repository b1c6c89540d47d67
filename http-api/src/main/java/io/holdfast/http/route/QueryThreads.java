package io.holdfast.http.route;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads on which blocking reads run, so that none runs on a dispatcher's. Few of them, and a bounded queue before them: what does
 * not fit is refused at once.
 */
final class QueryThreads implements AutoCloseable {

    private final ThreadPoolExecutor threads;
    private final Duration retryAfter;

    QueryThreads(HttpSettings.Limits limits, Duration retryAfter) {
        this.retryAfter = retryAfter;
        var number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                limits.queryThreads(),
                limits.queryThreads(),
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(limits.queries()),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("holdfast-query-" + number.incrementAndGet())
                        .unstarted(task));
        threads.allowCoreThreadTimeOut(true);
    }

    /** The value, read on one of the threads; fails with {@link TooManyQueries} when the queue is full. */
    <T> CompletionStage<T> read(Supplier<T> blocking) {
        try {
            return CompletableFuture.supplyAsync(blocking, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new TooManyQueries(retryAfter));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
