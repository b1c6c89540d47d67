package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** How events are handled and the offset moved, by what a projection promises. */
sealed interface Promise permits ExactlyOnce, AtLeastOnce {

    /** Handles rows of a group in order, parks who can't be handled, and moves the group's offset; all of it or, thrown, less. */
    void advance(Connection connection, Group group, List<JournalRow> rows, Offset to) throws SQLException;

    /**
     * Handles events of one parked entity in order, and notes how far it came.
     *
     * @return the first that still can't be handled
     */
    Optional<Stuck> again(Connection connection, List<JournalRow> rows) throws SQLException;

    /** Goes on without this event, within the current transaction. */
    void leaveOut(Connection connection, JournalRow row) throws SQLException;

    /** Forgets what came of these slices, within the current transaction. */
    void clear(Connection connection, Slices slices) throws SQLException;

    /** An event, and why it can't be handled. */
    record Stuck(JournalRow row, String reason) {}
}
