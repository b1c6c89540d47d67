package io.holdfast.bench;

import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.sql.SqlRow;
import io.holdfast.bench.sql.SqlTables;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A load on the baseline {@code sql-row}, at the number of connections that serves it best. */
public final class SqlTrial implements AutoCloseable {

    private static final List<Integer> CONNECTIONS = List.of(2, 4, 8, 16);
    private static final long PLENTY = 1L << 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(8);

    private final SqlTables tables;
    private final PoolSet pools;
    private final SqlRow.Kind kind;
    private final AtomicLong numbers = new AtomicLong();
    private final SqlRow best;
    private final int connections;

    /**
     * Tries each number of connections and keeps the best.
     *
     * @param each how long each is tried
     */
    public SqlTrial(SqlTables tables, PoolSet pools, SqlRow.Kind kind, int outstanding, Duration each, PrintStream out)
            throws SQLException, InterruptedException {
        this.tables = tables;
        this.pools = pools;
        this.kind = kind;
        tables.createPools(
                pools.pools().stream().map(Object::toString).toList(), kind == SqlRow.Kind.SOLD_OUT ? 0 : PLENTY);
        // Once for nothing: the number that is tried first must not be the one that is tried in a JVM that has compiled
        // nothing yet.
        rate(CONNECTIONS.getFirst(), outstanding, each);
        int bestConnections = CONNECTIONS.getFirst();
        double bestRate = -1;
        StringBuilder said = new StringBuilder();
        for (int tried : CONNECTIONS) {
            double rate = rate(tried, outstanding, each);
            said.append(", %,.0f with %d".formatted(rate, tried));
            if (rate > bestRate) {
                bestRate = rate;
                bestConnections = tried;
            }
        }
        out.println("sql-row by connections, a second: " + said.substring(2));
        this.connections = bestConnections;
        this.best = new SqlRow(tables, pools, kind, bestConnections);
    }

    /** As one of those that take turns. */
    public Contender contender(int outstanding) {
        return new Contender(
                "sql-row, " + connections + " connections",
                () -> new ClosedLoop(best.operation(), outstanding, numbers),
                SHORTEST_WARM_UP,
                Contender.Backlog.NONE);
    }

    /** What is off, if every operation ended as it should. */
    public List<String> check() throws SQLException {
        Map<String, SqlTables.Units> told = new HashMap<>();
        for (int i = 0; i < pools.pools().size(); i++) {
            long share = pools.share(i, numbers.get());
            told.put(
                    pools.pools().get(i).value(),
                    switch (kind) {
                        case HOLD -> new SqlTables.Units(share, 0);
                        case HOLD_CONFIRM -> new SqlTables.Units(0, share);
                        case SOLD_OUT -> new SqlTables.Units(0, 0);
                    });
        }
        return tables.check(told);
    }

    private double rate(int tried, int outstanding, Duration each) throws SQLException, InterruptedException {
        try (SqlRow row = new SqlRow(tables, pools, kind, tried)) {
            Load load = new ClosedLoop(row.operation(), outstanding, numbers);
            load.start();
            TimeUnit.NANOSECONDS.sleep(each.toNanos() / 3);
            load.take();
            long from = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(each.toNanos() * 2 / 3);
            double rate = load.take().getTotalCount() / ((System.nanoTime() - from) / 1e9);
            load.stop(PATIENCE);
            return rate;
        }
    }

    @Override
    public void close() {
        best.close();
    }
}
