package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.gauge.Profile;
import io.holdfast.bench.raw.RawLoad;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.lettuce.core.RedisClient;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Redis loses everything while many reservations are held, and every pool is loaded anew from the journals. Beside it, the same hashes
 * written into an empty database by a loop that knows nothing of journals.
 */
final class RebuildScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** By a pool itself: its creation, and two rebuilds. */
    private static final long MOVES = 3;

    private static final double TIMES_A_BARE_LOAD = 2;

    @Override
    public String name() {
        return "rebuild";
    }

    @Override
    public String about() {
        return "Redis is flushed with --many reservations held, and rebuilt; beside a bare load of the same keys";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Subject node = ground.another("rebuild", Map.of("HOLDFAST_RESERVATION_REOPEN_OVER", "0s"));
            OurTrial holds = new OurTrial(node, new PoolSet("d", options.pools()), OurTrial.Kind.HOLD);
            holds.fill(options.outstanding(), options.many());
            // Where the view lags, a rebuild waits for it: that is the view's time, not the rebuild's.
            node.awaitNoLag(PATIENCE);
            RawLoad bare = RawLoad.of(node.redisUri());
            Meters meters = ground.stores().meters();
            double cold = lose(node, holds.pools(), meters).seconds();
            Optional<Profile> recording = options.profile().map(_ -> Profile.start());
            Rebuilt rebuilt = lose(node, holds.pools(), meters);
            if (recording.isPresent()) {
                try (Profile done = recording.get()) {
                    out.println("profile: " + options.profile().orElseThrow() + ", summed up in "
                            + done.write(options.profile().orElseThrow()));
                }
            }
            double seconds = rebuilt.seconds();
            // Nothing else is at work: the raw limit is that of a machine that only loads.
            double bareSeconds = bare.into(ground.stores().redis().uri() + "/9");
            out.printf(
                    "%,d held in %,d pools, rebuilt in %.2f s, the first time in %.2f s; a bare load of the same %,d"
                            + " hashes takes %.2f s%n",
                    holds.begun(), options.pools(), seconds, cold, bare.size(), bareSeconds);
            Report report = ground.report();
            report.main(holds.begun() / seconds, holds.begun(), rebuilt.used());
            report.figure(Figure.atMost(
                    "seconds of a rebuild to those of a bare load",
                    TIMES_A_BARE_LOAD,
                    TIMES_A_BARE_LOAD,
                    seconds / bareSeconds));
            JournalSums journal = JournalSums.of(node.database());
            report.off(journal.faults());
            Map<String, Sums.Told> told = holds.told();
            Map<String, RedisBooks> books = RedisBooks.of(node.redisUri(), List.copyOf(told.keySet()));
            report.off(Sums.compare(told, journal, books, MOVES));
            return report.end();
        }
    }

    private static void flush(String uri) {
        RedisClient client = RedisClient.create(uri);
        try (var connection = client.connect()) {
            connection.sync().flushdb();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** How long a rebuild took, and what it used. */
    private record Rebuilt(double seconds, Meters.Reading used) {}

    private static Rebuilt lose(Subject node, List<PoolId> pools, Meters meters) throws Exception {
        flush(node.redisUri());
        Meters.Reading before = meters.read();
        double seconds = rebuild(node, pools);
        Rebuilt rebuilt = new Rebuilt(seconds, meters.read().since(before));
        node.awaitNoLag(PATIENCE);
        return rebuilt;
    }

    /** Until every pool serves again; how many seconds. */
    private static double rebuild(Subject node, List<PoolId> pools) {
        long began = System.nanoTime();
        List<CompletableFuture<Outcome<Reply<StockPool>>>> answers = new ArrayList<>();
        for (PoolId pool : pools) {
            var cause = new Cause("bench-rebuild-" + began, "", Cause.Kind.REQUEST, "bench", Optional.empty());
            answers.add(node.node()
                    .pools()
                    .ask(pool.value(), cause, new StockPoolCommand.Rebuild(), PATIENCE)
                    .toCompletableFuture());
        }
        for (var answer : answers) {
            if (!(answer.join() instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply))
                    || !(reply.verdict() instanceof Verdict.Done)
                    || !(reply.state() instanceof StockPool.Open)) {
                throw new IllegalStateException("a pool was not rebuilt: " + answer.join());
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }
}
