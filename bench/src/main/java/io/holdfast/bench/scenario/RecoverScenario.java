package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Stores;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.http.HttpLoader;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.raw.RawCommits;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.report.Surroundings;
import io.holdfast.launcher.FreePort;
import io.holdfast.launcher.JavaCommand;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.SameJit;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A node dies with many holds in flight and is started again.
 *
 * <ol>
 *   <li>A node in a process of its own creates the pools.
 *   <li>Redis stands still: every hold that is asked for now is journaled, and its Try stays unanswered.
 *   <li>The node is killed, then Redis goes on. It may still find a few Tries of the dead node in its queue.
 *   <li>The node is started again. The clock runs from there until every one of those holds is granted in the journal; from the moment
 *       it serves, new holds are asked for beside that.
 * </ol>
 */
final class RecoverScenario implements Scenario {

    private static final int NEW_HOLDS_OUTSTANDING = 16;
    private static final int ACCEPTED = 202;
    private static final int CREATED = 201;
    private static final int FIGURE_AT = 100_000;
    private static final double FIGURE_SECONDS = 60;
    private static final String NODE = "io.holdfast.node.NodeMain";
    private static final List<String> FLAGS = List.of(
            "-XX:+UseParallelGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:SweeperThreshold=100",
            "-XX:+UseTransparentHugePages");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String UNSETTLED = """
        select exists (select from event_journal a
        where a.persistence_id like 'reservation|%' and a.sequence_number = 1
        and not exists (select from event_journal b where b.persistence_id = a.persistence_id and b.sequence_number > 1))
        """;

    @Override
    public String name() {
        return "recover";
    }

    @Override
    public String about() {
        return "a node is killed with --many holds in flight and started again, and serves new holds meanwhile";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Stores stores = Stores.start()) {
            PostgresAddress database = stores.database("bench");
            Map<String, String> settings =
                    new HashMap<>(Subject.environment(database, stores.redis().uri(), Map.of()));
            var inFlight = new PoolSet("d", options.pools());
            var fresh = new PoolSet("n", options.pools());
            try (Subject creator = Subject.start(database, stores.redis().uri(), Map.of())) {
                creator.create(inFlight, OurTrial.PLENTY);
                creator.create(fresh, OurTrial.PLENTY);
            }
            var report = new Report(
                    name(), options, Surroundings.of(database, stores.redis().uri()), out);
            Path log = stores.folder().resolve("node.log");
            int port = FreePort.from(28_080);
            settings.put("HOLDFAST_HTTP_PORT", Integer.toString(port));
            try (NodeProcess node = NodeProcess.start(() -> node(settings), port, log)) {
                long many = leaveInFlight(stores, node, inFlight, options);
                out.printf("%,d holds in flight when the node was killed%n", many);
                recover(report, options, stores, database, node, inFlight, fresh, many);
                node.kill(); // all is counted: nobody waits for it to leave in order
            }
            return report.end();
        }
    }

    /**
     * A node in a JVM of its own with the flags of production, so that it can be killed as a machine dies. One of a test, which asks for no
     * figures, has those with which it is there soonest.
     */
    private static ProcessBuilder node(Map<String, String> settings) {
        ProcessBuilder builder = SameJit.flags().isEmpty()
                ? JavaCommand.of(NODE, FLAGS, List.of("node"))
                : JavaCommand.serving(NODE, List.of("node"));
        builder.environment().putAll(settings);
        return builder;
    }

    /** How many. */
    private static long leaveInFlight(Stores stores, NodeProcess node, PoolSet pools, Options options)
            throws Exception {
        stores.redis().pause();
        try (var loader = HttpLoader.start(HttpLoader.Wish.holds(
                node.address().getPort(),
                options.outstanding(),
                pools.prefix(),
                pools.pools().size(),
                0,
                ACCEPTED))) {
            Load load = loader.load();
            load.start();
            long accepted = 0;
            while (accepted < options.many()) {
                TimeUnit.MILLISECONDS.sleep(20);
                accepted += load.take().getTotalCount();
            }
            load.stop(PATIENCE);
            if (!load.failures().isEmpty()) {
                throw new IllegalStateException("holds were not accepted: " + load.failures());
            }
            node.kill();
            return loader.begun();
        } finally {
            stores.redis().resume();
        }
    }

    private static void recover(
            Report report,
            Options options,
            Stores stores,
            PostgresAddress database,
            NodeProcess node,
            PoolSet inFlight,
            PoolSet fresh,
            long many)
            throws Exception {
        Meters meters = stores.meters();
        Meters.Reading before = meters.read();
        long began = System.nanoTime();
        node.restart();
        double ready = since(began);
        try (var loader = HttpLoader.start(HttpLoader.Wish.holds(
                node.address().getPort(),
                NEW_HOLDS_OUTSTANDING,
                fresh.prefix(),
                fresh.pools().size(),
                30,
                CREATED))) {
            Load load = loader.load();
            load.start();
            List<String> pools = inFlight.pools().stream().map(Object::toString).toList();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (reserved(stores, pools) < many && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(500);
            }
            Histogram micros = load.take();
            double served = since(began) - ready;
            load.stop(PATIENCE);
            while (unsettled(database) && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
            double rest = since(began);
            Meters.Reading used = withNode(meters.read().since(before), node);
            report.out()
                    .printf(
                            "serves after %.1f s; all at rest after %.1f s, %,.0f a second%n",
                            ready, rest, many / rest);
            report.out()
                    .printf(
                            "new holds meanwhile: %,.0f a second; ms p50 %.1f, p99 %.1f, longest %.1f%n",
                            micros.getTotalCount() / served,
                            micros.getValueAtPercentile(50) / 1000.0,
                            micros.getValueAtPercentile(99) / 1000.0,
                            micros.getMaxValue() / 1000.0);
            report.main(many / rest, percentile(micros, 50), percentile(micros, 99), report.cpuEach(many, used));
            if (many >= FIGURE_AT) {
                report.figure(Figure.atMost("seconds until all are at rest", FIGURE_SECONDS, FIGURE_SECONDS, rest));
                report.figure(Figure.atLeast("new holds a second meanwhile", 1, 1, micros.getTotalCount() / served));
            }
            load.failures().forEach((why, count) -> report.off(count + " new holds were not granted: " + why));
            JournalSums journal = JournalSums.of(database);
            report.off(journal.faults());
            check(report, stores, journal, OurTrial.told(inFlight, OurTrial.Kind.HOLD, many));
            check(report, stores, journal, OurTrial.told(fresh, OurTrial.Kind.HOLD, loader.begun()));
            Duration turn = options.share(Ground.RAW_TURN_LONGEST);
            // Each of those in flight had its first event before the clock ran.
            report.raw(new RawCommits(database).run(turn.dividedBy(2), turn), (journal.events() - many) / rest);
        }
    }

    /** Of holds that were answered; when none was, there is nothing to say, and least of all that it took no time. */
    private static @Nullable Double percentile(Histogram micros, double percent) {
        return micros.getTotalCount() == 0 ? null : micros.getValueAtPercentile(percent) / 1000.0;
    }

    /** What is measured is the node, from its start on, and not this process, which only looks on. */
    private static Meters.Reading withNode(Meters.Reading used, NodeProcess node) {
        Duration cpu = ProcessHandle.of(node.pid())
                .orElseThrow()
                .info()
                .totalCpuDuration()
                .orElseThrow();
        return new Meters.Reading(cpu.toNanos() / 1000, used.postgres(), used.redis(), used.kafka(), 0);
    }

    private static void check(Report report, Stores stores, JournalSums journal, Map<String, Sums.Told> told) {
        report.off(Sums.compare(told, journal, RedisBooks.of(stores.redis().uri(), List.copyOf(told.keySet())), 1));
    }

    private static long reserved(Stores stores, List<String> pools) {
        return RedisBooks.of(stores.redis().uri(), pools).values().stream()
                .mapToLong(RedisBooks::reserved)
                .sum();
    }

    private static boolean unsettled(PostgresAddress database) throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery(UNSETTLED)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
