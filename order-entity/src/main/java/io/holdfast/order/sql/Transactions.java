package io.holdfast.order.sql;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.BooksListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;

/**
 * Runs decisions as transactions.
 *
 * <p>Whatever breaks before COMMIT is sent leaves nothing behind. When the answer to COMMIT is lost, nobody can tell, and looking whether
 * the rows are there does not help: not there is no proof while the old session may still commit. So the same work is done again on a new
 * connection. Its first insert waits for the key of the old session's row: if that commits, it is found; if not, this one decides.
 */
final class Transactions {

    private final DataSource database;
    private final Executor executor;
    private final BooksListener listener;

    /**
     * @param database connections with a time-out of their statements, or a session that hangs would hold up who waits for its row
     * @param executor runs what blocks; its width bounds how many transactions of this node are under way
     */
    Transactions(DataSource database, Executor executor, BooksListener listener) {
        this.database = database;
        this.executor = executor;
        this.listener = listener;
    }

    /** One decision. Leaves the rows as it wants them committed; they are only if it answers decided. */
    @FunctionalInterface
    interface Work<T> {
        BookAnswer<T> in(Connection connection) throws SQLException, NotYet;
    }

    /** It can't be decided now. Nothing is written. */
    static final class NotYet extends Exception {
        private static final long serialVersionUID = 1L;

        NotYet(String why) {
            super(why, null, false, false);
        }
    }

    /**
     * What came of a decision.
     *
     * @param wasUnknown whether one of its transactions may have been committed without anybody hearing of it
     */
    record Settled<T>(Outcome<BookAnswer<T>> outcome, boolean wasUnknown) {}

    /** Decides, off the caller's thread. */
    <T> CompletionStage<Outcome<BookAnswer<T>>> decide(Work<T> work) {
        try {
            return CompletableFuture.supplyAsync(() -> settle(work).outcome(), executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(Outcome.unavailable("no room for another transaction"));
        }
    }

    /** Decides on the caller's thread. */
    <T> Settled<T> settle(Work<T> work) {
        Outcome<BookAnswer<T>> first = once(work);
        if (!(first instanceof Outcome.Unknown<BookAnswer<T>>(String why))) {
            return new Settled<>(first, false);
        }
        return new Settled<>(
                switch (once(work)) {
                    case Outcome.Known<BookAnswer<T>> known -> known;
                    case Outcome.Unknown<BookAnswer<T>> _ -> first;
                    // That this attempt did nothing says nothing about the first.
                    case Outcome.Unavailable<BookAnswer<T>>(String then) -> Outcome.unknown(why + "; then: " + then);
                },
                true);
    }

    private <T> Outcome<BookAnswer<T>> once(Work<T> work) {
        boolean committing = false;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                BookAnswer<T> answer = work.in(connection);
                switch (answer) {
                    case BookAnswer.Decided<T> _ -> {
                        committing = true;
                        connection.commit();
                    }
                    case BookAnswer.Contradicted<T> _ -> connection.rollback();
                }
                return Outcome.known(answer);
            } catch (SQLException | NotYet | RuntimeException failed) {
                rollback(connection, failed);
                throw failed;
            }
        } catch (NotYet e) {
            return Outcome.unavailable(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            if (committing) {
                if (refusedCommit(e)) {
                    return Outcome.unavailable(told(e));
                }
                listener.commitUnknown();
                return Outcome.unknown(told(e));
            }
            return refusedRow(e)
                    ? Outcome.known(BookAnswer.contradicted(
                            "DATABASE_REFUSED", Map.of("sql_state", String.valueOf(e.getSQLState()), "why", told(e))))
                    : Outcome.unavailable(told(e));
        }
    }

    private static void rollback(Connection connection, Exception failed) {
        try {
            connection.rollback();
        } catch (SQLException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }

    /** The server has said that it rolled back instead: serialization failure, deadlock, a constraint looked at last. */
    private static boolean refusedCommit(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("40001") || state.equals("40P01") || state.startsWith("23");
    }

    /** A constraint or a value that the server will refuse again, however often it is asked. */
    private static boolean refusedRow(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("23") || state.startsWith("22");
    }

    private static String told(SQLException e) {
        return e.getSQLState() + " " + e.getMessage();
    }
}
