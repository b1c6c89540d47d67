package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Refuses driver settings under which a transaction goes on after a statement failed. A runner relies on the opposite: a handler that
 * swallows an error leaves a failed transaction behind, in which the offset, written last, fails too. (The commit alone does not tell:
 * for a failed transaction PostgreSQL answers it with a rollback, and the driver says nothing.) It is tried rather than looked up: such
 * settings hide in URLs, pools and drivers.
 */
final class HiddenFailure {

    private static final String INVALID_TEXT = "22P02";
    private static final String IN_FAILED_TRANSACTION = "25P02";

    private HiddenFailure() {}

    /** @throws IllegalStateException naming the setting */
    static void refuse(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement s = connection.createStatement()) {
            boolean hidden =
                    !fails(s, "select 'on purpose: holdfast checks that errors are not hidden'::integer", INVALID_TEXT)
                            || !fails(s, "select 1", IN_FAILED_TRANSACTION);
            if (hidden) {
                throw new IllegalStateException(
                        "the JDBC connection goes on after a failed statement, so a projection could lose events:"
                                + " remove the driver property autosave from the read side's URL or pool");
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static boolean fails(Statement s, String sql, String expected) throws SQLException {
        try {
            s.execute(sql);
            return false;
        } catch (SQLException e) {
            if (!expected.equals(e.getSQLState())) {
                throw e;
            }
            return true;
        }
    }
}
