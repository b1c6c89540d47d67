package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.SqlTrial;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.sql.SqlRow;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds that all want the same pool. */
final class HotScenario implements Scenario {

    @Override
    public String name() {
        return "hot";
    }

    @Override
    public String about() {
        return "holds of one unit, all from one pool; beside the same over many pools, and beside sql-row on one";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options.withPools(1), out);
                @Nullable SqlTrial sql = options.alone() ? null : ground.sqlRow(SqlRow.Kind.HOLD)) {
            Report report = ground.report();
            OurTrial one = ground.ours("hot", 1, OurTrial.Kind.HOLD);
            OurTrial many = ground.ours("d", options.pools(), OurTrial.Kind.HOLD);
            Contender hot = one.contender("hot", options.outstanding());
            Contender hold = many.contender("hold over " + options.pools() + " pools", options.outstanding());
            List<Contender> contenders = new ArrayList<>(List.of(hot, hold));
            @Nullable Contender theirs = sql == null ? null : sql.contender(options.outstanding());
            if (theirs != null) {
                contenders.add(theirs);
            }
            MeasuredAll measured = ground.turns(contenders);
            Measured hotly = measured.of(hot);
            report.main(hot, hotly);
            report.print(hold, measured.of(hold));
            if (sql != null && theirs != null) {
                report.print(theirs, measured.of(theirs));
                report.ratioSqlRow(hotly.perSecond() / measured.of(theirs).perSecond());
                report.off(sql.check());
            }
            JournalSums journal = ground.check(one, many);
            double events = (double) journal.events() / Math.max(1, one.begun() + many.begun());
            report.raw(ground.rawCommits(), hotly.perSecond() * events);
            report.figure(Figure.atLeast(
                    "hot to hold",
                    0.9,
                    0.9,
                    hotly.perSecond() / measured.of(hold).perSecond()));
            return report.end();
        }
    }
}
