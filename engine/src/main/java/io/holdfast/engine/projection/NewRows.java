package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/**
 * Adds rows that are new, as nearly all are that a projection adds. PostgreSQL adds a row for less if it need not be ready to find one there;
 * and where one is there after all, for a journal is read again, nothing is added and the handler is told, which then writes as if any
 * might be.
 */
public final class NewRows {

    private static final String UNIQUE_VIOLATION = "23505";

    private NewRows() {}

    /** One statement that adds rows and fails where one of them is there. */
    @FunctionalInterface
    public interface Insert {

        /** Executes it. */
        void execute() throws SQLException;
    }

    /**
     * Tries to add them, within the transaction of the handler.
     *
     * @return false if nothing was added because a row with a key of theirs is there; the transaction goes on
     */
    public static boolean added(Connection connection, Insert insert) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            insert.execute();
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
        connection.releaseSavepoint(before);
        return true;
    }
}
