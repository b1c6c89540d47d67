package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * What one projection does with the journal. Called by one thread at a time, on one node of the fleet, in the transaction that also
 * moves the offset: what it writes through the connection it is given happens exactly once, and nothing else does.
 *
 * <p>A handler therefore keeps no state of its own between calls (a batch may be rolled back and given again), and does not commit,
 * roll back or close; savepoints are allowed. Rows of one entity come in the order of their sequence numbers.
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
     * again one at a time, so that the one at fault is found.
     */
    default void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        for (JournalRow row : rows) {
            handle(connection, row);
        }
    }

    /**
     * Forgets everything that came from these slices, because they are about to be read again from the beginning. Runs in the
     * transaction that sets the offset back. The slice of a persistence id is {@code hashtext(persistence_id) & 127}.
     */
    void clear(Connection connection, Slices slices) throws SQLException;
}
