package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Keeps tables of this database in step with the journal. Called by one thread at a time for any one slice, on one node of the fleet, in
 * the transaction that also moves the offset: what it writes through the connection it is given happens exactly once, and nothing else does.
 *
 * <p>A handler therefore keeps no state of its own between calls (a batch may be rolled back and given again), and does not commit,
 * roll back or close; savepoints are allowed. Rows of one entity come in the order of their sequence numbers. Other nodes may handle other
 * slices at the same moment: rows that several entities share are written in a sorted order, or they deadlock.
 *
 * <p>An exception that is not a fault of the database (a constraint the row breaks, a payload it can't read) sets the row's entity
 * aside: see {@link ParkedEntity}. An SQL error must not be swallowed unless a savepoint was rolled back to; the transaction is refused
 * otherwise.
 */
public non-sealed interface ProjectionHandler extends Projection {

    /** One event. */
    void handle(Connection connection, JournalRow row) throws SQLException;

    /**
     * Several events, in order. A handler that can write many rows with one statement overrides this; if it fails, the same rows come
     * again in smaller parts, so that the one at fault is found.
     */
    default void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        for (JournalRow row : rows) {
            handle(connection, row);
        }
    }

    /**
     * Whether this handler recognizes events it has handled, by their sequence numbers, and changes nothing when they come again. Only then
     * can the projection be set back to a position; otherwise it can only be rebuilt.
     */
    default boolean takesAgain() {
        return false;
    }

    /**
     * A person has decided that the projection goes on without this event, which it can't handle. A handler that insists on consecutive
     * sequence numbers notes here that this one has been; the event may be unreadable.
     */
    default void leaveOut(Connection connection, JournalRow row) throws SQLException {}

    /**
     * Forgets everything that came from these slices, because they are about to be read again from the beginning. Runs in the
     * transaction that sets the offset back. The slice of a persistence id is {@code hashtext(persistence_id) & 127}. Where one node has
     * the whole projection, as it mostly is, these are {@link Slices#all}, and the tables can be truncated.
     */
    void clear(Connection connection, Slices slices) throws SQLException;
}
