package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread with a connection that stores what has gathered, batch after batch: while one commits, the next gathers. */
final class BatchWriter implements BatchStore.Surroundings {

    private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

    private final GatheringQueue<Write> queue;
    private final Session session;
    private final BatchStore store;
    private final JournalSettings settings;
    private final JournalListener listener;
    private final Executor tellers;
    private final Consumer<List<Write>> aside;
    private volatile List<Write> atWork = List.of();
    private volatile boolean closed;

    /**
     * @param tellers where waiters are told, so that this thread can go on
     * @param aside takes over what can't be stored now and holds up the others
     */
    BatchWriter(
            GatheringQueue<Write> queue,
            Session session,
            JournalSettings settings,
            JournalListener listener,
            Executor tellers,
            Consumer<List<Write>> aside) {
        this.queue = queue;
        this.session = session;
        this.settings = settings;
        this.listener = listener;
        this.tellers = tellers;
        this.aside = aside;
        this.store =
                new BatchStore(new PostgresJournalTable(session, settings.table()), this, listener, System::nanoTime);
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
                LOG.error("A batch of the journal broke", e);
                session.disconnect();
                atWork.forEach(write -> write.failed("the journal broke", e));
            }
            if (!closed) {
                atWork = List.of();
            }
        }
        atWork.forEach(write -> write.failed("the journal is closed", null));
        session.disconnect();
    }

    @Override
    public void stored(List<Write> writes) {
        if (!writes.isEmpty()) {
            tellers.execute(() -> writes.forEach(Write::stored));
        }
    }

    @Override
    public void putAside(List<Write> writes) {
        aside.accept(writes);
    }

    @Override
    public void rest(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    /** Tells those whose time is over, also while the thread hangs in its connection, and frees it. */
    void endOverdue(long now) {
        for (Write write : atWork) {
            Certainty told = write.endIfOverdue(now);
            if (told != null) {
                listener.overdue(told);
            }
        }
        session.abortIfHanging(now);
    }

    void close(Thread thread) {
        closed = true;
        session.abort();
        thread.interrupt();
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
