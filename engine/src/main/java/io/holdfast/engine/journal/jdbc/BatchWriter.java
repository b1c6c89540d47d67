package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread with a connection that stores what has gathered, batch after batch: while one commits, the next gathers. */
final class BatchWriter {

    private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

    private final GatheringQueue<Write> queue;
    private final Session session;
    private final BatchStore store;
    private final JournalSettings settings;
    private volatile List<Write> atWork = List.of();
    private volatile boolean closed;

    BatchWriter(GatheringQueue<Write> queue, Session session, BatchStore store, JournalSettings settings) {
        this.queue = queue;
        this.session = session;
        this.store = store;
        this.settings = settings;
    }

    /** What its thread does. */
    void run() {
        while (!closed) {
            try {
                List<Write> batch = queue.take(new Batch(settings.batchRows(), settings.batchBytes()));
                atWork = batch;
                store.store(batch);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            } catch (RuntimeException | Error e) {
                // Nothing is known of what was on its way. The thread must go on: without it this node writes nothing.
                LOG.error("a batch of the journal broke", e);
                session.disconnect();
                atWork.forEach(write -> write.failed("the journal broke", e));
            } finally {
                if (!closed) {
                    atWork = List.of();
                }
            }
        }
        atWork.forEach(write -> write.failed("the journal is closed", null));
        session.disconnect();
    }

    /** Tells those whose time is over, also while the thread hangs in its connection. */
    void endOverdue(long now, JournalListener listener) {
        for (Write write : atWork) {
            Certainty told = write.endIfOverdue(now);
            if (told != null) {
                listener.overdue(told);
            }
        }
    }

    void close(@Nullable Thread thread) {
        closed = true;
        session.abort();
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** As much as goes into one statement. */
    private static final class Batch implements GatheringQueue.Load<Write> {

        private int rows;
        private int bytes;

        Batch(int rows, int bytes) {
            this.rows = rows;
            this.bytes = bytes;
        }

        @Override
        public boolean takes(Write next) {
            rows -= next.rows().size();
            bytes -= next.size();
            return rows >= 0 && bytes >= 0;
        }
    }
}
