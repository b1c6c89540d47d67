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
import java.nio.file.Path;
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

    // Until the compilers have nothing more to do: what takes two seconds would be measured while it is being compiled.
    private static final int WARM_UPS = 4;
    private static final int TURNS = 3;

    /** By a pool itself: its creation, and the rebuilds. */
    private static final long MOVES = 1 + WARM_UPS + TURNS;

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
            String beside = ground.stores().redis().uri() + "/9";
            double cold = lose(node, holds.pools(), meters).seconds();
            for (int turn = 1; turn < WARM_UPS; turn++) {
                lose(node, holds.pools(), meters);
            }
            Turn all = turn(node, holds.pools(), meters, bare, beside, options.profile(), out);
            for (int turn = 1; turn < TURNS; turn++) {
                all = all.and(turn(node, holds.pools(), meters, bare, beside, Optional.empty(), out));
            }
            out.printf(
                    "%,d held in %,d pools, rebuilt in %.2f s, the first time in %.2f s; a bare load of the same %,d"
                            + " hashes takes %.2f s%n",
                    holds.begun(),
                    options.pools(),
                    all.rebuilt().seconds() / TURNS,
                    cold,
                    bare.size(),
                    all.bareSeconds() / TURNS);
            Report report = ground.report();
            report.main(
                    TURNS * holds.begun() / all.rebuilt().seconds(),
                    TURNS * holds.begun(),
                    all.rebuilt().used());
            report.figure(Figure.atMost(
                    "seconds of a rebuild to those of a bare load",
                    TIMES_A_BARE_LOAD,
                    TIMES_A_BARE_LOAD,
                    all.rebuilt().seconds() / all.bareSeconds()));
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

    /** A rebuild, and a bare load after it. */
    private record Turn(Rebuilt rebuilt, double bareSeconds) {

        Turn and(Turn other) {
            return new Turn(
                    new Rebuilt(rebuilt.seconds + other.rebuilt.seconds, rebuilt.used.and(other.rebuilt.used)),
                    bareSeconds + other.bareSeconds);
        }
    }

    private static Turn turn(
            Subject node,
            List<PoolId> pools,
            Meters meters,
            RawLoad bare,
            String beside,
            Optional<Path> profile,
            PrintStream out)
            throws Exception {
        Optional<Profile> recording = profile.map(_ -> Profile.start());
        Rebuilt rebuilt = lose(node, pools, meters);
        if (recording.isPresent()) {
            try (Profile done = recording.get()) {
                out.println(
                        "profile: " + profile.orElseThrow() + ", summed up in " + done.write(profile.orElseThrow()));
            }
        }
        // Nothing else is at work: the raw limit is that of a machine that only loads.
        flush(beside);
        double alone = bare.into(beside);
        out.printf("  rebuilt in %.2f s; a bare load takes %.2f s%n", rebuilt.seconds(), alone);
        return new Turn(rebuilt, alone);
    }

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
