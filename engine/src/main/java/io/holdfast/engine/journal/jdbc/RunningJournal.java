package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** The threads of a node's journal, and what they work on. */
final class RunningJournal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningJournal.class);
    private static final Duration OVERDUE_EVERY = Duration.ofMillis(50);

    /** Each waits for a transaction of somebody else's to end; there are never many. */
    private static final int STUCK_MOST = 1000;

    private static final int READS_WAITING_MOST = 100_000;

    /** Longer than any lock should be held by one who is not stuck. */
    private static final String LOCK_PATIENCE = "lock_timeout=250";

    private final JournalSettings settings;
    private final Listeners listeners;
    private final GatheringQueue<Write> writes;
    private final GatheringQueue<Write> stuck = new GatheringQueue<>(STUCK_MOST);
    private final List<BatchWriter> writers = new ArrayList<>();
    private final SharedReads<SequenceLookups.Lookup> lookups;
    private final SharedReads<ReplayReads.Page> replays;
    private final ProjectionWaker waker;
    private final Deletions deletions;
    private final List<Runnable> closings = new ArrayList<>();
    private volatile boolean closed;

    /** @param tellers where waiters are told, so that the journal's own threads can go on */
    RunningJournal(JournalSettings settings, Listeners listeners, Executor tellers) {
        this.settings = settings;
        this.listeners = listeners;
        this.writes = new GatheringQueue<>(settings.queue());
        for (int i = 0; i < settings.writers(); i++) {
            startWriter("writer-" + i, writes, tellers);
        }
        startWriter("stuck-writer", stuck, tellers);
        String table = settings.table();
        this.lookups = startReads("lookups", SequenceLookups::load, new SequenceLookups(table, listeners));
        this.replays = startReads("replays", ReplayReads::load, new ReplayReads(table, listeners));
        this.deletions = new Deletions(new Session(settings), table);
        closings.add(deletions::close);
        // A notification that is lost with the server is no loss: no disk is waited for.
        this.waker = new ProjectionWaker(
                new Session(settings, "synchronous_commit=off"), settings.notifyInterval(), listeners);
        listeners.add(waker);
        Thread wakerThread = start("waker", waker::run);
        closings.add(() -> {
            listeners.remove(waker);
            waker.close(wakerThread);
        });
        start("reaper", this::reap);
    }

    private void startWriter(String name, GatheringQueue<Write> queue, Executor tellers) {
        var writer = new BatchWriter(
                queue, new Session(settings, LOCK_PATIENCE), settings, listeners, tellers, this::putAside);
        writers.add(writer);
        Thread thread = start(name, writer::run);
        closings.add(() -> writer.close(thread));
    }

    private <R extends SharedReads.Read<?>> SharedReads<R> startReads(
            String name, SharedReads.LoadOf<R> load, SharedReads.Query<R> query) {
        var reads =
                new SharedReads<>(new Session(settings), READS_WAITING_MOST, load, query, listeners, System::nanoTime);
        Thread thread = start(name, reads::run);
        closings.add(() -> reads.close(thread));
        return reads;
    }

    private static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name("holdfast journal " + name).start(work);
    }

    /** Stores rows of one entity together. */
    Future<Seq<Try<BoxedUnit>>> write(List<JournalRow> rows, Seq<Try<BoxedUnit>> whenStored) {
        long deadline = System.nanoTime() + settings.writeDeadline().toNanos();
        var write = new Write(
                rows, whenStored, deadline - settings.statementTimeout().toNanos(), deadline);
        if (writes.offer(write)) {
            return write.future();
        }
        if (!closed) {
            listeners.refused();
        }
        return Future$.MODULE$.failed(new JournalWriteFailed(
                Certainty.NOT_WRITTEN,
                closed ? "the journal is closed" : "too many writes wait already (" + settings.queue() + ")",
                null));
    }

    private void putAside(List<Write> some) {
        for (Write write : some) {
            if (!stuck.offer(write)) {
                write.failed("too many writes wait for transactions that do not end", null);
            }
        }
        listeners.putAside();
    }

    Future<Object> highestSequenceNumber(String persistenceId) {
        var lookup = new SequenceLookups.Lookup(persistenceId, readDeadline());
        lookups.ask(lookup);
        return lookup.future();
    }

    Future<List<ReplayReads.Line>> page(String persistenceId, long from, long to, long most) {
        var page = new ReplayReads.Page(persistenceId, from, to, most, readDeadline());
        replays.ask(page);
        return page.future();
    }

    Future<BoxedUnit> delete(String persistenceId, long to) {
        return deletions.delete(persistenceId, to);
    }

    /** Writes that wait for a batch. */
    int waiting() {
        return writes.size();
    }

    private long readDeadline() {
        return System.nanoTime() + settings.readDeadline().toNanos();
    }

    /** Ends what is overdue, whatever the other threads hang in. */
    private void reap() {
        while (!closed) {
            try {
                TimeUnit.NANOSECONDS.sleep(OVERDUE_EVERY.toNanos());
                long now = System.nanoTime();
                // First come, first overdue.
                writes.removeWhile(write -> !write.mayBegin(now), this::tooLate);
                stuck.removeIf(write -> !write.mayBegin(now), this::tooLate);
                writers.forEach(writer -> writer.endOverdue(now));
                lookups.endOverdue(now);
                replays.endOverdue(now);
                waker.abortIfHanging(now);
                deletions.abortIfHanging(now);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                // It must go on: nobody else ends what a hanging writer holds.
                LOG.error("Overdue writes of the journal could not be ended", e);
            }
        }
    }

    private void tooLate(Write write) {
        Certainty told = write.failed(Write.TOO_LATE, null);
        if (told != null) {
            listeners.overdue(told);
        }
    }

    /** Whoever still waits is told what is known. */
    @Override
    public void close() {
        closed = true;
        writes.close().forEach(write -> write.failed("the journal is closed", null));
        stuck.close().forEach(write -> write.failed("the journal is closed", null));
        closings.forEach(Runnable::run);
    }
}
