package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.fleet.Bell;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tells other nodes that the journal has grown, by NOTIFY on the channel their {@link Bell} hears. Not in the transaction that wrote: committing a
 * notification takes a lock of the whole server, one after the other. So it is a statement of its own, at most one per interval,
 * whatever was written since the last. Nobody relies on it: who misses one finds the rows at the next poll.
 */
final class ProjectionWaker implements JournalListener {

    private static final String NOTIFY = "select pg_notify('" + Bell.CHANNEL + "', '')";

    private final Session session;
    private final Duration interval;
    private final JournalListener listener;
    private final Semaphore news = new Semaphore(0);
    private volatile boolean closed;

    ProjectionWaker(Session session, Duration interval, JournalListener listener) {
        this.session = session;
        this.interval = interval;
        this.listener = listener;
    }

    @Override
    public void committed(int writes, int rows, Duration took) {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    /** What its thread does. */
    void run() {
        try {
            while (!closed) {
                news.acquire();
                news.drainPermits();
                try {
                    session.run(NOTIFY, PreparedStatement::execute);
                } catch (SQLException e) {
                    session.disconnect();
                    listener.disconnected(e);
                }
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            session.disconnect();
        }
    }

    void abortIfHanging(long now) {
        session.abortIfHanging(now);
    }

    void close(Thread thread) {
        closed = true;
        session.abort();
        thread.interrupt();
    }
}
