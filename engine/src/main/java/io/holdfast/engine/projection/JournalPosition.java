package io.holdfast.engine.projection;

/**
 * A moment in the journal: everything that was committed before it was taken has a transaction id below {@code xid}. Comparable only
 * within one PostgreSQL cluster.
 *
 * @param xid exclusive upper bound
 */
public record JournalPosition(long xid) implements Comparable<JournalPosition> {

    @Override
    public int compareTo(JournalPosition other) {
        return Long.compare(xid, other.xid);
    }
}
