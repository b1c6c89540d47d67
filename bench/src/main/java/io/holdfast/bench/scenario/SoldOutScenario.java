package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.SqlTrial;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.raw.RawScripts;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.sql.SqlRow;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds of what there is not. */
final class SoldOutScenario implements Scenario {

    @Override
    public String name() {
        return "sold-out";
    }

    @Override
    public String about() {
        return "holds of what there is not; beside holds of what there is, and beside sql-row sold out";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out);
                @Nullable SqlTrial sql = options.alone() ? null : ground.sqlRow(SqlRow.Kind.SOLD_OUT)) {
            Report report = ground.report();
            OurTrial empty = ground.ours("out", options.pools(), OurTrial.Kind.SOLD_OUT);
            OurTrial full = ground.ours("d", options.pools(), OurTrial.Kind.HOLD);
            Contender soldOut = empty.contender("sold-out", options.outstanding());
            Contender hold = full.contender("hold", options.outstanding());
            List<Contender> contenders = new ArrayList<>(List.of(soldOut, hold));
            @Nullable Contender theirs = sql == null ? null : sql.contender(options.outstanding());
            if (theirs != null) {
                contenders.add(theirs);
            }
            MeasuredAll measured = ground.turns(contenders);
            Measured refused = measured.of(soldOut);
            report.main(soldOut, refused);
            report.print(hold, measured.of(hold));
            report.raw(looks(ground, options, empty), refused.perSecond());
            report.figure(Figure.atLeast(
                    "sold-out to hold",
                    3,
                    3,
                    refused.perSecond() / measured.of(hold).perSecond()));
            if (sql != null && theirs != null) {
                double ratio = refused.perSecond() / measured.of(theirs).perSecond();
                report.print(theirs, measured.of(theirs));
                report.ratioSqlRow(ratio);
                report.figure(Figure.atLeast("sold-out to sql-row sold out", 1.5, 1.5, ratio));
                report.off(sql.check());
            }
            ground.check(empty, full);
            return report.end();
        }
    }

    private static RawRate looks(Ground ground, Options options, OurTrial empty) throws Exception {
        Duration turn = ground.share(Duration.ofSeconds(3));
        return new RawScripts(
                        ground.stores().redis().uri(), List.copyOf(empty.told().keySet()))
                .run(RawScripts.Script.SOLD_OUT, options.outstanding(), turn.dividedBy(2), turn);
    }
}
