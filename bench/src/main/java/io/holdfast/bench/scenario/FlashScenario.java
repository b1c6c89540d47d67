package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.GateTrial;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.SaleSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.http.HttpLoader;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.reservation.domain.PoolId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A flash sale over HTTP: very many users, each once, for few units of one item. */
final class FlashScenario implements Scenario {

    private static final int USERS_FOR_A_UNIT = 50;
    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "flash";
    }

    @Override
    public String about() {
        return "--many users over HTTP for a fiftieth as many units; exactly those are let in. What a refusal costs,"
                + " and where";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out, stores -> SaleSettings.admitting(stores.kafka()))) {
            Report report = ground.report();
            Subject node = ground.subject();
            var inside = new GateTrial(node, new SaleSet("inside", 1), GateTrial.Kind.SOLD_OUT);
            Contender refusals = inside.contender("turned away inside the process", options.outstanding());
            try (var warm = loader(ground, options, new SaleSet("warm", 1), 1)) {
                Contender overHttp = new Contender("turned away over HTTP", warm::load, SHORTEST_WARM_UP, node::lag);
                MeasuredAll measured = ground.turns(List.of(overHttp, refusals));
                report.main(overHttp, measured.of(overHttp));
                report.print(refusals, measured.of(refusals));
                shares(out, measured.of(overHttp), measured.of(refusals), warm);
                report.off(warm.letIn() == 1 ? List.of() : List.of(warm.letIn() + " were let in for 1 unit"));
            }
            sale(ground, options, out);
            return report.end();
        }
    }

    /** Of the node's own processor time, what its gate takes when it is asked inside the process is not HTTP's. */
    private static void shares(PrintStream out, Measured overHttp, Measured inside, HttpLoader load) {
        double redis = overHttp.each(overHttp.used().redis());
        double gate = inside.each(inside.used().jvm());
        double http = Math.max(0, overHttp.each(overHttp.used().jvm()) - gate);
        double all = http + gate + redis;
        out.printf(
                Locale.ROOT,
                "    of a refusal's %.1f us: HTTP %.0f %%, Redis %.0f %%, the gate %.0f %%; PostgreSQL %.2f us; the"
                        + " users' process %.1f us beside%n",
                all,
                100 * http / all,
                100 * redis / all,
                100 * gate / all,
                overHttp.each(overHttp.used().postgres()),
                load.cpu().toNanos() / 1000.0 / Math.max(1, load.begun()));
    }

    private static void sale(Ground ground, Options options, PrintStream out) throws Exception {
        Report report = ground.report();
        Subject node = ground.subject();
        long units = Math.max(1, options.many() / USERS_FOR_A_UNIT);
        var item = new SaleSet("item", 1);
        PoolId pool = item.pools().getFirst();
        try (var users = loader(ground, options, item, units)) {
            Meters meters = ground.stores().meters();
            Meters.Reading before = meters.read();
            long began = System.nanoTime();
            Load load = users.load();
            load.start();
            Histogram ended = load.take();
            // Who is answered otherwise is no user of the sale: when that goes on, no sale comes to its end.
            while (ended.getTotalCount() < options.many() && otherwise(load) < options.many()) {
                TimeUnit.MILLISECONDS.sleep(5);
                ended.add(load.take());
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            load.stop(SaleSettings.PATIENCE);
            double drained = node.awaitNoLag(SaleSettings.PATIENCE);
            Meters.Reading used = meters.read().since(before);
            load.failures().forEach((why, count) -> report.off(count + " users were answered otherwise: " + why));
            long letIn = users.letIn();
            out.printf(
                    Locale.ROOT,
                    "the sale: %,d users for %,d units in %.1f s, %,.0f a second; %,d let in; journals and views there"
                            + " %.1f s later; cpu us each %.1f%n",
                    users.begun(),
                    units,
                    seconds,
                    ended.getTotalCount() / seconds,
                    letIn,
                    drained,
                    (double) used.all() / users.begun());
            report.figure(Figure.atLeast("let in to units", 1, 1, (double) letIn / units));
            if (letIn != units) {
                report.off(letIn + " users were let in for " + units + " units");
            }
            JournalSums journal = JournalSums.of(node.database());
            report.off(journal.faults());
            ground.check(node, journal, Map.of(pool.value(), new Sums.Told(units, 0)));
        }
    }

    private static long otherwise(Load load) {
        return load.failures().values().stream().mapToLong(Long::longValue).sum();
    }

    private static HttpLoader loader(Ground ground, Options options, SaleSet items, long units) throws Exception {
        ground.subject().createSales(items, units);
        int port = ground.subject().node().address().getPort();
        return HttpLoader.start(HttpLoader.Wish.users(
                port, options.outstanding(), items.prefix(), items.pools().size()));
    }
}
