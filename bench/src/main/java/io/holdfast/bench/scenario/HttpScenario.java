package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.http.HttpLoader;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Holds over HTTP. */
final class HttpScenario implements Scenario {

    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(40);
    private static final int WAIT_SECONDS = 30;
    private static final int CREATED = 201;

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String about() {
        return "holds over HTTP from another process on this machine; beside the same asked inside the node's process";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Report report = ground.report();
            var pools = new PoolSet("w", options.pools());
            ground.subject().create(pools, OurTrial.PLENTY);
            OurTrial holds = ground.ours("d", options.pools(), OurTrial.Kind.HOLD);
            int port = ground.subject().node().address().getPort();
            try (var loader = HttpLoader.start(HttpLoader.Wish.holds(
                    port, options.outstanding(), pools.prefix(), options.pools(), WAIT_SECONDS, CREATED))) {
                Contender http = new Contender("http", loader::load, SHORTEST_WARM_UP, ground.subject()::lag);
                Contender inside = holds.contender("inside the process", options.outstanding());
                MeasuredAll measured = ground.turns(List.of(http, inside));
                Measured overHttp = measured.of(http);
                report.main(http, overHttp);
                out.printf(
                        "    the load process used %.1f cpu us a request%n",
                        loader.cpu().toNanos() / 1000.0 / Math.max(1, loader.begun()));
                report.print(inside, measured.of(inside));
                report.figure(Figure.atLeast(
                        "http to in-process",
                        0.5,
                        0.5,
                        overHttp.perSecond() / measured.of(inside).perSecond()));
                JournalSums journal = ground.check(holds);
                ground.check(ground.subject(), journal, OurTrial.told(pools, OurTrial.Kind.HOLD, loader.begun()));
                double events = (double) journal.events() / Math.max(1, holds.begun() + loader.begun());
                report.raw(ground.rawCommits(), overHttp.perSecond() * events);
                return report.end();
            }
        }
    }
}
