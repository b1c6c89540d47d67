package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.Future;
import scala.concurrent.Promise;

/**
 * A thread that answers many reads with one query: while one runs, the next gathers. Reads change nothing, so one that failed is simply
 * tried again, until its time is over; one that can't be answered at all is separated from the others.
 *
 * @param <R> reads
 */
final class SharedReads<R extends SharedReads.Read<?>> {

    /** One read and whoever waits for it. */
    abstract static class Read<T> {
        private final long deadline;
        private final Promise<T> promise = Promise.apply();

        Read(long deadline) {
            this.deadline = deadline;
        }

        final Future<T> future() {
            return promise.future();
        }

        final void answer(T value) {
            promise.trySuccess(value);
        }

        final void fail(Throwable why) {
            promise.tryFailure(why);
        }

        final boolean hasEnded() {
            return promise.isCompleted();
        }

        final void endIfOverdue(long now) {
            if (now - deadline > 0 && !hasEnded()) {
                fail(new SQLTransientException("the journal could not be read in time"));
            }
        }
    }

    /** Answers all of them with one query. */
    interface Query<R> {
        void answer(Session session, List<R> reads) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(SharedReads.class);
    private static final long FIRST_PAUSE = 10;
    private static final long LONGEST_PAUSE = 500;

    private final Session session;
    private final GatheringQueue<R> queue;
    private final LoadOf<R> load;
    private final Query<R> query;
    private final JournalListener listener;
    private final LongSupplier clock;
    private volatile List<R> atWork = List.of();
    private volatile boolean closed;

    /** A load of the same kind for each query. */
    interface LoadOf<R> {
        GatheringQueue.Load<R> empty();
    }

    SharedReads(
            Session session,
            int capacity,
            LoadOf<R> load,
            Query<R> query,
            JournalListener listener,
            LongSupplier clock) {
        this.session = session;
        this.queue = new GatheringQueue<>(capacity);
        this.load = load;
        this.query = query;
        this.listener = listener;
        this.clock = clock;
    }

    void ask(R read) {
        if (!queue.offer(read)) {
            read.fail(new SQLTransientException(
                    closed ? "the journal is closed" : "too many entities wait to read their journals"));
        }
    }

    /** What its thread does. */
    void run() {
        while (!closed) {
            try {
                List<R> reads = queue.take(load.empty());
                atWork = reads;
                answer(reads);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            } catch (RuntimeException | Error e) {
                LOG.error("a read of the journal broke", e);
                session.disconnect();
                atWork.forEach(read -> read.fail(e));
            } finally {
                atWork = List.of();
            }
        }
        session.disconnect();
    }

    private void answer(List<R> reads) throws InterruptedException {
        var left = new Splitting<>(reads);
        long pause = FIRST_PAUSE;
        while (!left.isEmpty() && !closed) {
            left.replaceFirst(open(left.first()));
            if (left.isEmpty()) {
                return;
            }
            try {
                query.answer(session, left.first());
                left.removeFirst();
                pause = FIRST_PAUSE;
            } catch (SQLException e) {
                switch (Fault.of(e)) {
                    case LOST -> {
                        session.disconnect();
                        listener.disconnected(e);
                        pause = pauseAfter(pause);
                    }
                    case NOT_NOW -> pause = pauseAfter(pause);
                    case LOCKED -> {
                        // Or too much at once for the time it may take.
                        if (!left.split()) {
                            pause = pauseAfter(pause);
                        }
                    }
                    case CONFLICT, BAD_ROW, NEVER -> splitOrFail(left, e);
                }
            }
        }
        left.takeOut(_ -> true).forEach(read -> read.fail(new SQLTransientException("the journal is closed")));
    }

    private List<R> open(List<R> reads) {
        long now = clock.getAsLong();
        List<R> open = new ArrayList<>(reads.size());
        for (R read : reads) {
            read.endIfOverdue(now);
            if (!read.hasEnded()) {
                open.add(read);
            }
        }
        return open;
    }

    private void splitOrFail(Splitting<R> left, SQLException why) {
        if (!left.split()) {
            left.first().getFirst().fail(why);
            left.removeFirst();
        }
    }

    private static long pauseAfter(long pause) throws InterruptedException {
        Thread.sleep(pause);
        return Math.min(LONGEST_PAUSE, 2 * pause);
    }

    /** Tells those whose time is over, also while the thread hangs. */
    void endOverdue(long now) {
        queue.removeWhile(
                read -> {
                    read.endIfOverdue(now);
                    return read.hasEnded();
                },
                _ -> {});
        atWork.forEach(read -> read.endIfOverdue(now));
        session.abortIfHanging(now);
    }

    void close(Thread thread) {
        closed = true;
        queue.close().forEach(read -> read.fail(new SQLTransientException("the journal is closed")));
        session.abort();
        thread.interrupt();
    }
}
