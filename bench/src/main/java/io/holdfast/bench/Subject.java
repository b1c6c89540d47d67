package io.holdfast.bench;

import io.holdfast.config.Settings;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.node.Node;
import io.holdfast.node.NodeProcessLife;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What is measured: a whole node in this JVM, as production assembles it, on stores of its own. */
public final class Subject implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int POOLS_AT_ONCE = 64;
    private static final Duration SALE_LASTS = Duration.ofDays(1);

    /**
     * Counted to the end: a projection that falls far behind must not look as if it stayed near. The journal is read once, from where the
     * last of all stands: this question is asked beside the load, and what it costs must not be taken for the load's.
     */
    private static final String BEHIND = """
        with unhandled as materialized (
            select j.xid, j.ordering, j.slice from event_journal j
            where (j.xid, j.ordering) > (select o.xid, o.ordering from projection_offset o order by o.xid, o.ordering limit 1))
        select coalesce(max(behind), 0) from (
            select count(*) as behind from unhandled j
            join projection_offset o on j.slice between o.slice_from and o.slice_to and (j.xid, j.ordering) > (o.xid, o.ordering)
            group by o.projection) each
        """;

    private final Node node;
    private final PostgresAddress database;
    private final String redisUri;

    private Subject(Node node, PostgresAddress database, String redisUri) {
        this.node = node;
        this.database = database;
        this.redisUri = redisUri;
    }

    /**
     * Starts it.
     *
     * @param redisUri the Redis, and in it the database, that holds its stock
     * @param changes settings by their environment variables, over those of the environment of this process
     */
    public static Subject start(PostgresAddress database, String redisUri, Map<String, String> changes) {
        Settings settings = Settings.load(Optional.empty(), environment(database, redisUri, changes));
        NodeProcessLife.logAs(settings);
        return new Subject(Node.start(settings), database, redisUri);
    }

    /** Settings of a node on these stores, by their environment variables. */
    public static Map<String, String> environment(
            PostgresAddress database, String redisUri, Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>();
        environment.put("HOLDFAST_LOGGING_LEVEL", "warn");
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("HOLDFAST_")) {
                environment.put(name, value);
            }
        });
        environment.putAll(Map.of(
                "HOLDFAST_NODE_MODE",
                "development",
                "HOLDFAST_HTTP_PORT",
                "0",
                "HOLDFAST_CLUSTER_PORT",
                "0",
                "HOLDFAST_POSTGRES_URL",
                database.jdbcUrl(),
                "HOLDFAST_POSTGRES_USER",
                database.user(),
                "HOLDFAST_POSTGRES_PASSWORD",
                database.password(),
                "HOLDFAST_REDIS_URL",
                redisUri));
        environment.putAll(changes);
        return environment;
    }

    /** The node. */
    public Node node() {
        return node;
    }

    /** The database that holds its journal. */
    public PostgresAddress database() {
        return database;
    }

    /** The Redis that holds its stock. */
    public String redisUri() {
        return redisUri;
    }

    /** Creates these pools, each with this many units. */
    public void create(PoolSet set, long total) {
        create(set.pools(), new PoolOperation.Init("bench-init", total));
    }

    /** Creates these sales, open for long, each user to one unit. */
    public void createSales(SaleSet set, long total) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var sale = new Sale(1, now.minus(SALE_LASTS), now.plus(SALE_LASTS), 1);
        create(set.pools(), new PoolOperation.Init("bench-init", total, Optional.empty(), Optional.of(sale)));
    }

    private void create(List<PoolId> pools, PoolOperation.Init init) {
        for (int from = 0; from < pools.size(); from += POOLS_AT_ONCE) {
            List<CompletableFuture<Outcome<Reply<StockPool>>>> some = new ArrayList<>();
            for (PoolId pool : pools.subList(from, Math.min(pools.size(), from + POOLS_AT_ONCE))) {
                var cause = new Cause("bench-init", "", Cause.Kind.REQUEST, "bench", Optional.empty());
                some.add(node.pools().ask(pool.value(), cause, init, PATIENCE).toCompletableFuture());
            }
            for (var one : some) {
                if (!(one.join() instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply))
                        || !(reply.verdict() instanceof Verdict.Done)) {
                    throw new IllegalStateException("a pool could not be created: " + one.join());
                }
            }
        }
    }

    /** Events that the furthest behind has not handled, of all projections and of what is told to Kafka. */
    public long lag() throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery(BEHIND)) {
            row.next();
            return row.getLong(1);
        }
    }

    /**
     * Waits until nothing is behind the journal.
     *
     * @return how many seconds that took
     */
    public double awaitNoLag(Duration patience) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        for (long lag = lag(); lag > 0; lag = lag()) {
            if (System.nanoTime() - began > patience.toNanos()) {
                throw new IllegalStateException(lag + " events are behind, and stay there");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    @Override
    public void close() {
        node.close();
    }
}
