package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;

/** A lock on the journal: whoever writes to it waits, whoever reads does not. */
final class HeldJournal implements AutoCloseable {

    private static final String WAITING = """
        from pg_locks l join pg_class c on c.oid = l.relation
        where c.relname like 'event_journal%' and not l.granted\
        """;

    private final Connection holder;
    private final Connection observer;

    HeldJournal(Connection holder, Connection observer) {
        this.holder = holder;
        this.observer = observer;
    }

    /** From now on writers wait. */
    void hold() throws SQLException {
        holder.setAutoCommit(false);
        try (var lock = holder.createStatement()) {
            lock.execute("lock table event_journal in exclusive mode");
        }
    }

    /** Whether somebody waits to write. */
    boolean isWaitedFor() throws SQLException {
        try (var question = observer.createStatement();
                var row = question.executeQuery("select count(*) > 0 " + WAITING)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Lets on whoever waits. */
    void release() throws SQLException {
        holder.rollback();
    }

    /**
     * Whoever waits never writes: its backend ends first, as it does when it notices that its client is gone. One that does not notice
     * would write later, and what it wrote is then journaled like anything else.
     */
    @Override
    public void close() throws SQLException {
        try (holder;
                observer;
                var end = observer.createStatement();
                var ended = end.executeQuery("select pg_terminate_backend(l.pid, 10000) " + WAITING)) {
            while (ended.next()) {
                assertThat(ended.getBoolean(1))
                        .as("the waiting backend has ended")
                        .isTrue();
            }
            if (!holder.getAutoCommit()) {
                holder.rollback();
            }
        }
    }
}
