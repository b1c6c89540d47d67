package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a failed statement says about the rows in it, and what to do. */
enum Fault {
    /** One of the keys is taken. Nothing was written. */
    CONFLICT,
    /** One of the rows can't be stored. Nothing was written. */
    BAD_ROW,
    /** The server can't now: a lock, a deadlock, no room. Nothing was written; it may do later. */
    NOT_NOW,
    /** The connection broke, or is of no use any more. Whether anything was written is unknown. */
    LOST,
    /** The server understood and will refuse this statement whatever is in it. Nothing was written. */
    NEVER;

    static Fault of(SQLException failure) {
        String state = failure.getSQLState();
        return state == null || state.length() != 5 ? LOST : of(state);
    }

    private static Fault of(String state) {
        Fault exact = exactly(state);
        if (exact != null) {
            return exact;
        }
        return switch (state.substring(0, 2)) {
            // Data, constraints, limits such as the size of an index entry, and what only damage to one page explains.
            case "22", "23", "54", "XX" -> BAD_ROW;
            // Rolled back, out of something, in use.
            case "40", "53", "55" -> NOT_NOW;
            // No such table, not allowed, no such database or schema, not the password.
            case "42", "28", "3D", "3F", "44" -> NEVER;
            default -> LOST;
        };
    }

    private static @Nullable Fault exactly(String state) {
        return switch (state) {
            case "23505" -> CONFLICT;
            // Cancelled: the statement's own time-out, mostly behind a lock.
            case "57014" -> NOT_NOW;
            case "40003" -> LOST;
            default -> null;
        };
    }
}
