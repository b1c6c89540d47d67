package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.SqlTrial;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.raw.RawScripts;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.sql.SqlRow;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds. */
final class HoldScenario implements Scenario {

    private static final int FIGURES_AT = 256;
    private static final int LATENCY_FIGURE_AT = 64;

    @Override
    public String name() {
        return "hold";
    }

    @Override
    public String about() {
        return "holds of one unit, spread over the pools; beside the stock journal DAO and sql-row doing the same";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out);
                @Nullable SqlTrial sql = options.alone() ? null : ground.sqlRow(SqlRow.Kind.HOLD)) {
            Report report = ground.report();
            OurTrial holds = ground.ours("d", options.pools(), OurTrial.Kind.HOLD);
            Contender ours = holds.contender("hold", options.outstanding());
            List<Contender> contenders = new ArrayList<>(List.of(ours));
            @Nullable OurTrial stockHolds = options.alone() ? null : stock(ground, options);
            @Nullable
            Contender stock =
                    stockHolds == null ? null : stockHolds.contender("stock journal DAO", options.outstanding());
            if (stock != null) {
                contenders.add(stock);
            }
            @Nullable Contender theirs = sql == null ? null : sql.contender(options.outstanding());
            if (theirs != null) {
                contenders.add(theirs);
            }
            MeasuredAll all = ground.turns(contenders);
            Measured measured = all.of(ours);
            RawRate commits = ground.rawCommits();
            RawRate scripts = scripts(ground, options);
            report.main(ours, measured);
            if (stockHolds != null && stock != null) {
                double ratio = measured.perSecond() / all.of(stock).perSecond();
                report.print(stock, all.of(stock));
                report.ratioStock(ratio);
                if (options.outstanding() == FIGURES_AT) {
                    report.figure(Figure.atLeast("hold to hold with the stock journal DAO", 1.8, 2.2, ratio));
                }
                ground.check(stockHolds);
            }
            if (sql != null && theirs != null) {
                report.print(theirs, all.of(theirs));
                report.ratioSqlRow(measured.perSecond() / all.of(theirs).perSecond());
                report.off(sql.check());
            }
            JournalSums journal = ground.check(holds);
            double eventsPerHold = (double) journal.events() / Math.max(1, holds.begun());
            double eventsPerSecond = measured.perSecond() * eventsPerHold;
            report.raw(commits, eventsPerSecond);
            report.print(scripts);
            out.printf("journal: %.2f events a hold, %,.0f a second%n", eventsPerHold, eventsPerSecond);
            figures(report, options, measured, commits, eventsPerSecond);
            return report.end();
        }
    }

    private static OurTrial stock(Ground ground, Options options) {
        return new OurTrial(
                ground.another("stock", Map.of("HOLDFAST_POSTGRES_JOURNAL_DAO", "stock")),
                new PoolSet("d", options.pools()),
                OurTrial.Kind.HOLD);
    }

    private static RawRate scripts(Ground ground, Options options) throws Exception {
        OurTrial pools = ground.ours("raw", Math.min(options.pools(), FIGURES_AT), OurTrial.Kind.HOLD);
        Duration turn = ground.share(Duration.ofSeconds(3));
        return new RawScripts(
                        ground.stores().redis().uri(), List.copyOf(pools.told().keySet()))
                .run(RawScripts.Script.TRY, options.outstanding(), turn.dividedBy(2), turn);
    }

    private static void figures(
            Report report, Options options, Measured measured, RawRate commits, double eventsPerSecond) {
        if (options.outstanding() == FIGURES_AT) {
            report.figure(
                    Figure.atLeast("journal events to raw commits", 1.2, 1.5, eventsPerSecond / commits.perSecond()));
            report.figure(Figure.atMost(
                    "cpu us a hold, all processes",
                    140,
                    110,
                    measured.each(measured.used().all())));
        }
        if (options.outstanding() == LATENCY_FIGURE_AT) {
            report.figure(Figure.atMost(
                    "p99 of hold to p50 of a raw commit",
                    8,
                    8,
                    measured.p99Millis() * 1000 / Math.max(1, commits.p50Micros())));
        }
    }
}
