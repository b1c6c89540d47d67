package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.localstack.PostgresAddress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How far projections are behind while holds are written as fast as they can be, and what they cost the writing: beside it runs a node
 * whose projections are paused.
 */
final class ProjectionScenario implements Scenario {

    @Override
    public String name() {
        return "projection";
    }

    @Override
    public String about() {
        return "how far projections are behind at full speed, and holds with and without running projections";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Report report = ground.report();
            PostgresAddress database = ground.stores().database("no_projections");
            Subject quiet = ground.another(database, Map.of());
            try (var paused = PausedProjections.pause(database);
                    var lag = new LagSampler(ground.subject().database())) {
                OurTrial with = ground.ours("d", options.pools(), OurTrial.Kind.HOLD);
                OurTrial without = new OurTrial(quiet, new PoolSet("d", options.pools()), OurTrial.Kind.HOLD);
                Contender running = watched(with.contender("hold", options.outstanding()), lag);
                Contender standing =
                        withoutBacklog(without.contender("hold, projections paused", options.outstanding()));
                MeasuredAll measured = ground.turns(List.of(running, standing));
                Measured reading = measured.of(running);
                report.main(running, reading);
                report.print(standing, measured.of(standing));
                lag.print(out);
                report.figure(Figure.atLeast(
                        "holds with projections to holds without",
                        0.85,
                        0.85,
                        reading.perSecond() / measured.of(standing).perSecond()));
                if (paused.anyHasRun()) {
                    report.off("projections ran where they were paused");
                }
                JournalSums journal = ground.check(with);
                ground.check(without);
                double events = (double) journal.events() / Math.max(1, with.begun());
                report.raw(ground.rawCommits(), reading.perSecond() * events);
                return report.end();
            }
        }
    }

    private static Contender withoutBacklog(Contender contender) {
        return new Contender(contender.name(), contender.load(), contender.shortestWarmUp(), Contender.Backlog.NONE);
    }

    private static Contender watched(Contender contender, LagSampler lag) {
        return new Contender(
                contender.name(),
                () -> new Watched(contender.load().get(), lag),
                contender.shortestWarmUp(),
                contender.backlog());
    }

    /** Samples the lag while the load runs. */
    private record Watched(Load load, LagSampler lag) implements Load {

        @Override
        public void start() {
            lag.sample(true);
            load.start();
        }

        @Override
        public Histogram take() {
            return load.take();
        }

        @Override
        public void stop(Duration patience) throws InterruptedException {
            lag.sample(false);
            load.stop(patience);
        }

        @Override
        public Map<String, Long> failures() {
            return load.failures();
        }
    }
}
