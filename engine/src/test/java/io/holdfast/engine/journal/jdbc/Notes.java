package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Counts what a journal tells. */
final class Notes implements JournalListener {

    final AtomicInteger commits = new AtomicInteger();
    final AtomicInteger rows = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger splits = new AtomicInteger();
    final AtomicInteger locked = new AtomicInteger();
    final AtomicInteger aside = new AtomicInteger();
    final AtomicInteger conflicts = new AtomicInteger();
    final AtomicInteger badRows = new AtomicInteger();
    final AtomicInteger settledEnded = new AtomicInteger();
    final AtomicInteger settledAbsent = new AtomicInteger();
    final AtomicInteger overdueUnknown = new AtomicInteger();
    final AtomicInteger overdueNotWritten = new AtomicInteger();
    final AtomicInteger disconnects = new AtomicInteger();
    final AtomicInteger lookUpQueries = new AtomicInteger();
    final AtomicInteger lookUps = new AtomicInteger();
    final AtomicInteger replayQueries = new AtomicInteger();

    @Override
    public void committed(int writes, int newRows, Duration took) {
        commits.incrementAndGet();
        rows.addAndGet(newRows);
    }

    @Override
    public void refused() {
        refused.incrementAndGet();
    }

    /** Told how many splits there were, on the writer's thread and before the next statement. */
    volatile IntConsumer whenSplit = _ -> {};

    @Override
    public void split() {
        whenSplit.accept(splits.incrementAndGet());
    }

    @Override
    public void locked() {
        locked.incrementAndGet();
    }

    @Override
    public void putAside() {
        aside.incrementAndGet();
    }

    @Override
    public void conflict() {
        conflicts.incrementAndGet();
    }

    @Override
    public void badRow() {
        badRows.incrementAndGet();
    }

    @Override
    public void settled(int ended, int absent) {
        settledEnded.addAndGet(ended);
        settledAbsent.addAndGet(absent);
    }

    @Override
    public void overdue(Certainty certainty) {
        (certainty == Certainty.UNKNOWN ? overdueUnknown : overdueNotWritten).incrementAndGet();
    }

    @Override
    public void disconnected(SQLException why) {
        disconnects.incrementAndGet();
    }

    @Override
    public void lookedUp(int entities) {
        lookUpQueries.incrementAndGet();
        lookUps.addAndGet(entities);
    }

    @Override
    public void replayed(int entities, int newRows) {
        replayQueries.incrementAndGet();
    }
}
