package io.holdfast.engine.projection;

/**
 * Last row handled, in the reader's order. Comparable only within one PostgreSQL cluster.
 *
 * @param xid transaction of the row
 * @param ordering number of the row; only orders rows of one transaction
 */
public record Offset(long xid, long ordering) implements Comparable<Offset> {

    /** Before every row. */
    public static final Offset START = new Offset(0, 0);

    /** That of this row. */
    public static Offset of(JournalRow row) {
        return new Offset(row.xid(), row.ordering());
    }

    @Override
    public int compareTo(Offset other) {
        int byXid = Long.compare(xid, other.xid);
        return byXid != 0 ? byXid : Long.compare(ordering, other.ordering);
    }
}
