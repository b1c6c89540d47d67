package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All who listen, as one. */
final class Listeners implements JournalListener {

    private final List<JournalListener> all = new CopyOnWriteArrayList<>();

    void add(JournalListener listener) {
        all.add(listener);
    }

    void remove(JournalListener listener) {
        all.remove(listener);
    }

    @Override
    public void committed(int writes, int rows, Duration took) {
        all.forEach(listener -> listener.committed(writes, rows, took));
    }

    @Override
    public void refused() {
        all.forEach(JournalListener::refused);
    }

    @Override
    public void split() {
        all.forEach(JournalListener::split);
    }

    @Override
    public void locked() {
        all.forEach(JournalListener::locked);
    }

    @Override
    public void putAside() {
        all.forEach(JournalListener::putAside);
    }

    @Override
    public void conflict() {
        all.forEach(JournalListener::conflict);
    }

    @Override
    public void badRow() {
        all.forEach(JournalListener::badRow);
    }

    @Override
    public void settled(int ended, int absent) {
        all.forEach(listener -> listener.settled(ended, absent));
    }

    @Override
    public void overdue(Certainty certainty) {
        all.forEach(listener -> listener.overdue(certainty));
    }

    @Override
    public void disconnected(SQLException why) {
        all.forEach(listener -> listener.disconnected(why));
    }

    @Override
    public void lookedUp(int entities) {
        all.forEach(listener -> listener.lookedUp(entities));
    }

    @Override
    public void replayed(int entities, int rows) {
        all.forEach(listener -> listener.replayed(entities, rows));
    }
}
