package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;

/** Steps that are committed together or not at all. */
final class Transactions {

    private static final String CONNECTION_FAILURE = "08006";

    private Transactions() {}

    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    /** A transaction whose failure may be an event's fault. */
    static void attempt(Connection connection, Step step) throws SQLException, RowFailure {
        try {
            commit(connection, step);
        } catch (SQLException | RuntimeException | Error failure) {
            if (Blame.of(failure) == Blame.SURROUNDINGS) {
                throw failure;
            }
            throw new RowFailure(failure);
        }
    }

    /** A transaction whose failure is nobody's but the database's. */
    static void commit(Connection connection, Step step) throws SQLException {
        connection.setAutoCommit(false);
        try {
            step.run();
            connection.commit();
        } catch (SQLException | RuntimeException | Error failure) {
            try {
                connection.rollback();
                connection.setAutoCommit(true);
            } catch (SQLException broken) {
                // Whatever was thrown first, the connection is lost, and that is nobody's row's fault.
                SQLException lost =
                        new SQLException("the connection was lost: " + failure, CONNECTION_FAILURE, failure);
                lost.addSuppressed(broken);
                throw lost;
            }
            throw failure;
        }
        connection.setAutoCommit(true);
    }
}
