package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Told what the journal of this node does: for metrics, for waking whoever follows the journal, and for tests that wait for facts. Called
 * on the journal's own threads: it must neither block nor throw.
 */
public interface JournalListener {

    /**
     * A batch is durable.
     *
     * @param writes how many writes of entities it was
     * @param rows how many rows
     * @param took from the first byte sent to the answer
     */
    default void committed(int writes, int rows, Duration took) {}

    /** A write was refused, for too many wait. */
    default void refused() {}

    /** A batch was cut in two, to find what is wrong with it. */
    default void split() {}

    /** A statement waited too long for a lock and gave up; it is tried again. */
    default void locked() {}

    /** A write waits for somebody's transaction that has taken its key and does not end; it goes on beside the others. */
    default void putAside() {}

    /** A write failed because another writer of its entity was first. */
    default void conflict() {}

    /** A write failed because the database can't store it. */
    default void badRow() {}

    /**
     * What became of writes whose commit was lost has been looked up.
     *
     * @param ended how many turned out to be stored, or to be another's
     * @param absent how many were not there, and are written again
     */
    default void settled(int ended, int absent) {}

    /** A write ended because its time was over. */
    default void overdue(Certainty certainty) {}

    /** A connection was lost, or could not be made. It is tried again. */
    default void disconnected(SQLException why) {}

    /** So many look-ups of entities that start shared a query. */
    default void lookedUp(int entities) {}

    /** So many replays shared a query, which returned so many rows. */
    default void replayed(int entities, int rows) {}
}
