package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** The threads of a node's journal, and what they work on. */
final class RunningJournal {

    private static final Logger LOG = LoggerFactory.getLogger(RunningJournal.class);
    private static final Duration OVERDUE_EVERY = Duration.ofMillis(50);
    private static final int PAGES_WAITING = 100_000;

    private final JournalSettings settings;
    private final Listeners listeners;
    private final GatheringQueue<Write> writes;
    private final List<BatchWriter> writers = new ArrayList<>();
    private final SharedReads<SequenceLookups.Lookup> lookups;
    private final SharedReads<ReplayReads.Page> replays;
    private final Deletions deletions;
    private final List<Runnable> closings = new ArrayList<>();
    private volatile boolean closed;

    /** @param tellers where waiters are told, so that writers can go on */
    RunningJournal(JournalSettings settings, Listeners listeners, ExecutionContext tellers) {
        this.settings = settings;
        this.listeners = listeners;
        this.writes = new GatheringQueue<>(settings.queue());
        String table = settings.table();
        for (int i = 0; i < settings.writers(); i++) {
            var session = new Session(settings, "");
            var store = new BatchStore(
                    new PostgresJournalTable(session, table),
                    listeners,
                    stored -> tellers.execute(() -> stored.forEach(Write::stored)),
                    System::nanoTime,
                    Thread::sleep);
            var writer = new BatchWriter(writes, session, store, settings);
            writers.add(writer);
            Thread thread = start("writer-" + i, writer::run);
            closings.add(() -> writer.close(thread));
        }
        this.lookups = new SharedReads<>(
                new Session(settings, ""),
                PAGES_WAITING,
                SequenceLookups::load,
                new SequenceLookups(table, listeners),
                listeners,
                System::nanoTime);
        Thread lookupThread = start("lookups", lookups::run);
        closings.add(() -> lookups.close(lookupThread));
        this.replays = new SharedReads<>(
                new Session(settings, ""),
                PAGES_WAITING,
                ReplayReads::load,
                new ReplayReads(table, listeners),
                listeners,
                System::nanoTime);
        Thread replayThread = start("replays", replays::run);
        closings.add(() -> replays.close(replayThread));
        this.deletions = new Deletions(new Session(settings, ""), table);
        closings.add(deletions::close);
        // A notification that is lost with the server is no loss: no disk is waited for.
        var waker = new ProjectionWaker(
                new Session(settings, "synchronous_commit=off"), settings.notifyInterval(), listeners);
        listeners.add(waker);
        Thread wakerThread = start("waker", waker::run);
        closings.add(() -> waker.close(wakerThread));
        start("reaper", this::reap);
    }

    /** Stores rows of one entity together. */
    Future<Seq<Try<BoxedUnit>>> write(List<JournalRow> rows, Seq<Try<BoxedUnit>> whenStored) {
        long now = System.nanoTime();
        long deadline = now + settings.writeDeadline().toNanos();
        var write = new Write(
                rows, whenStored, deadline - settings.statementTimeout().toNanos(), deadline);
        if (!writes.offer(write)) {
            if (!closed) {
                listeners.refused();
            }
            return Future$.MODULE$.failed(new JournalWriteFailed(
                    Certainty.NOT_WRITTEN,
                    closed ? "the journal is closed" : "too many writes wait already (" + settings.queue() + ")",
                    null));
        }
        return write.future();
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
                writes.removeWhile(write -> !write.mayBegin(now), this::tooLate);
                writers.forEach(writer -> writer.endOverdue(now, listeners));
                lookups.endOverdue(now);
                replays.endOverdue(now);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                // It must go on: nobody else ends what a hanging writer holds.
                LOG.error("overdue writes of the journal could not be ended", e);
            }
        }
    }

    private void tooLate(Write write) {
        Certainty told = write.failed(Write.TOO_LATE, null);
        if (told != null) {
            listeners.overdue(told);
        }
    }

    void close() {
        closed = true;
        writes.close().forEach(write -> write.failed("the journal is closed", null));
        closings.forEach(Runnable::run);
    }

    private static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name("holdfast journal " + name).start(work);
    }
}
