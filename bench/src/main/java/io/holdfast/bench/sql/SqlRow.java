package io.holdfast.bench.sql;

import io.holdfast.bench.PoolSet;
import io.holdfast.bench.load.Operation;
import io.holdfast.reservation.domain.Line;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Callers queue for a few connections, each of which does one statement after another: a queue in front is what keeps every caller served
 * in turn, and few connections are what a row under contention wants.
 */
public final class SqlRow implements AutoCloseable {

    private static final String HOLD = """
        with taken as (
            update sql_pool set available = available - ?, reserved = reserved + ?
            where pool_id = ? and available >= ? returning pool_id)
        insert into sql_reservation (reservation_id, pool_id, order_id, order_item_id, quantity, status)
        select ?, pool_id, ?, ?, ?, 'RESERVED' from taken
        """;

    private static final String CONFIRM = """
        with done as (
            update sql_reservation set status = 'CONFIRMED', updated_at = now()
            where reservation_id = ? and status = 'RESERVED' returning pool_id, quantity)
        update sql_pool p set reserved = p.reserved - d.quantity, sold = p.sold + d.quantity
        from done d where p.pool_id = d.pool_id
        """;

    /** What a caller wants. */
    public enum Kind {
        /** A hold, which is granted. */
        HOLD,
        /** A hold, and when that is answered, its confirm. */
        HOLD_CONFIRM,
        /** A hold of what there is not. */
        SOLD_OUT
    }

    private final PoolSet pools;
    private final Kind kind;
    private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    private record Job(Line line, String pool, boolean confirm, Operation.Ended ended) {}

    /** Opens the connections. */
    public SqlRow(SqlTables tables, PoolSet pools, Kind kind, int connections) throws SQLException {
        this.pools = pools;
        this.kind = kind;
        for (int i = 0; i < connections; i++) {
            Connection connection = tables.connect();
            workers.add(Thread.ofPlatform().daemon().name("sql-row-" + i).start(() -> work(connection)));
        }
    }

    /** What a load repeats. */
    public Operation operation() {
        return (number, ended) ->
                jobs.add(new Job(pools.line(number), pools.pool(number).pool().value(), false, ended));
    }

    private void work(Connection connection) {
        try (connection;
                PreparedStatement hold = connection.prepareStatement(HOLD);
                PreparedStatement confirm = connection.prepareStatement(CONFIRM)) {
            while (!closed) {
                Job job = jobs.poll(100, TimeUnit.MILLISECONDS);
                if (job != null) {
                    serve(job, job.confirm() ? confirm(confirm, job) : hold(hold, job));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a connection of sql-row failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Job job, int rows) {
        int wanted = kind == Kind.SOLD_OUT ? 0 : 1;
        if (rows != wanted) {
            job.ended().otherwise("sql-row changed " + rows + " rows");
        } else if (kind == Kind.HOLD_CONFIRM && !job.confirm()) {
            jobs.add(new Job(job.line(), job.pool(), true, job.ended()));
        } else {
            job.ended().asWished();
        }
    }

    private static int hold(PreparedStatement hold, Job job) throws SQLException {
        hold.setLong(1, 1);
        hold.setLong(2, 1);
        hold.setString(3, job.pool());
        hold.setLong(4, 1);
        hold.setString(5, job.line().reservationId());
        hold.setString(6, job.line().orderId());
        hold.setString(7, job.line().orderItemId());
        hold.setLong(8, 1);
        return hold.executeUpdate();
    }

    private static int confirm(PreparedStatement confirm, Job job) throws SQLException {
        confirm.setString(1, job.line().reservationId());
        return confirm.executeUpdate();
    }

    /** Ends the connections once they have served whom they serve now. */
    @Override
    public void close() {
        closed = true;
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
