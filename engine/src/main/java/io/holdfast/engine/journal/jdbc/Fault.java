package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** What a failed statement says about the rows in it, and what to do. */
enum Fault {
    /** One of the keys is taken. Nothing was written. */
    CONFLICT,
    /** The server refuses it, and another row in its place might have been taken. Nothing was written. */
    BAD_ROW,
    /** It waited too long for a lock, somebody's on the whole table or on the key of one row. Nothing was written. */
    LOCKED,
    /** The server can't now. Nothing was written; it may do later. */
    NOT_NOW,
    /** The connection broke, or is of no use any more. Whether anything was written is unknown. */
    LOST,
    /** The server will refuse this statement whatever is in it. Nothing was written. */
    NEVER;

    /** Lock not available in time; cancelled by the time-out of the statement. */
    private static final Set<String> LOCKS = Set.of("55P03", "57014");

    /** Deadlock, serialization failure, disk full, too many connections. */
    private static final Set<String> LATER = Set.of("40P01", "40001", "53100", "53300");

    /** Prepared statement gone, or no longer what it was: another session is behind this connection, or the table was altered. */
    private static final Set<String> STALE = Set.of("26000", "0A000", "40003");

    static Fault of(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.length() != 5 || STALE.contains(state)) {
            return LOST;
        }
        if (state.equals("23505")) {
            return CONFLICT;
        }
        if (LOCKS.contains(state)) {
            return LOCKED;
        }
        if (LATER.contains(state)) {
            return NOT_NOW;
        }
        return switch (state.substring(0, 2)) {
            // Connection, transaction state (also: read-only, as an old primary is), shut down, I/O at the server.
            case "08", "25", "57", "58" -> LOST;
            // No such table or column, not allowed, no such schema or database.
            case "42", "28", "3D", "3F" -> NEVER;
            // Data, constraints, limits, triggers, damage. What is unknown here had better be one entity's trouble than
            // everybody's.
            default -> BAD_ROW;
        };
    }
}
