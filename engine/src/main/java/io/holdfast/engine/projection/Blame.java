package io.holdfast.engine.projection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Whose fault a failure is: decides whether an entity is parked or the database is waited for. */
enum Blame {
    /** This event can't be handled, now or later: it would fail alone as well. */
    ROW,
    /** The database, the schema or the node: no event would fare better. */
    SURROUNDINGS;

    private static final String IN_FAILED_TRANSACTION = "25P02";

    static Blame of(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof SQLException e && of(e.getSQLState()) == SURROUNDINGS) {
                return SURROUNDINGS;
            }
            if (t instanceof VirtualMachineError || t instanceof LinkageError) {
                return SURROUNDINGS;
            }
        }
        return ROW;
    }

    private static Blame of(@Nullable String state) {
        if (state == null || state.length() < 2) {
            return SURROUNDINGS; // the driver's or the pool's own: a closed connection, a time-out
        }
        if (state.equals(IN_FAILED_TRANSACTION)) {
            return ROW; // the handler swallowed an error
        }
        return switch (state.substring(0, 2)) {
            // cardinality, data, constraint, ending the transaction, check option, too large, raised by a trigger or
            // function
            case "21", "22", "23", "2D", "44", "54", "P0" -> ROW;
            // connection, privileges, missing tables, deadlock, time-outs, shutdown, full disk: and whatever is not
            // known to be the row's
            default -> SURROUNDINGS;
        };
    }
}
