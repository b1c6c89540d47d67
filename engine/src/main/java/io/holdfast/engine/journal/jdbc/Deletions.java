package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.runtime.BoxedUnit;

/**
 * Deletes from the journal, for those whose role may: Holdfast itself never does. The row with the highest number stays, marked, since the
 * number must not be given again. The thread lives while there is something to do.
 */
final class Deletions {

    private static final int MOST_WAITING = 1000;

    private final Session session;
    private final String sql;
    private final ThreadPoolExecutor thread;

    Deletions(Session session, String table) {
        this.session = session;
        this.sql = "with last as (select max(sequence_number) as number from " + table
                + " where persistence_id = ? and sequence_number <= ?), gone as (delete from " + table
                + " where persistence_id = ? and sequence_number < (select number from last)) update " + table
                + " set deleted = true where persistence_id = ? and sequence_number = (select number from last)"
                + " and not deleted";
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().daemon().name("holdfast journal deletions").factory());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Rows up to and with this number are no longer replayed. */
    Future<BoxedUnit> delete(String persistenceId, long to) {
        Promise<BoxedUnit> promise = Promise.apply();
        try {
            thread.execute(() -> delete(persistenceId, to, promise));
        } catch (RejectedExecutionException e) {
            promise.failure(e);
        }
        return promise.future();
    }

    private void delete(String persistenceId, long to, Promise<BoxedUnit> promise) {
        try {
            session.run(sql, statement -> {
                statement.setString(1, persistenceId);
                statement.setLong(2, to);
                statement.setString(3, persistenceId);
                statement.setString(4, persistenceId);
                return statement.executeUpdate();
            });
            promise.success(BoxedUnit.UNIT);
        } catch (SQLException | RuntimeException e) {
            promise.failure(e);
        } finally {
            session.disconnect();
        }
    }

    void abortIfHanging(long now) {
        session.abortIfHanging(now);
    }

    void close() {
        thread.shutdownNow();
        session.abort();
    }
}
