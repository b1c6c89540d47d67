package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Refuses driver settings under which a failed statement can end in a commit that says it worked. It is tried rather than looked up: such
 * settings hide in URLs, pools and drivers.
 */
final class SilentRollback {

    private static final String INVALID_TEXT = "22P02";
    private static final String IN_FAILED_TRANSACTION = "25P02";

    private SilentRollback() {}

    /** @throws IllegalStateException naming the setting */
    static void refuse(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement s = connection.createStatement()) {
            require(
                    fails(s, "select 'on purpose: holdfast checks that errors are not hidden'::integer", INVALID_TEXT),
                    "preferQueryMode");
            require(fails(s, "select 1", IN_FAILED_TRANSACTION), "autosave");
            require(commitFails(connection), "raiseExceptionOnSilentRollback");
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

    private static boolean commitFails(Connection connection) throws SQLException {
        try {
            connection.commit();
            return false;
        } catch (SQLException e) {
            if (!IN_FAILED_TRANSACTION.equals(e.getSQLState())) {
                throw e;
            }
            return true;
        }
    }

    private static void require(boolean holds, String property) {
        if (!holds) {
            throw new IllegalStateException("the JDBC connection hides failed statements, so a projection could lose events: remove the"
                    + " driver property " + property + " from the read side's URL or pool");
        }
    }
}
