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
import java.util.List;

/** Holds, each confirmed as soon as it is granted. */
final class HoldConfirmScenario implements Scenario {

    private static final int FIGURES_AT = 256;

    @Override
    public String name() {
        return "hold-confirm";
    }

    @Override
    public String about() {
        return "holds of one unit, each confirmed when it is granted; beside sql-row doing the same";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Report report = ground.report();
            OurTrial holds = ground.ours("d", options.pools(), OurTrial.Kind.HOLD_CONFIRM);
            Contender ours = holds.contender("hold-confirm", options.outstanding());
            Measured measured;
            if (options.alone()) {
                measured = ground.turns(List.of(ours)).of(ours);
            } else {
                try (SqlTrial sql = ground.sqlRow(SqlRow.Kind.HOLD_CONFIRM)) {
                    Contender theirs = sql.contender(options.outstanding());
                    MeasuredAll both = ground.turns(List.of(ours, theirs));
                    measured = both.of(ours);
                    compare(report, options, measured, both.of(theirs));
                    report.print(theirs, both.of(theirs));
                    report.off(sql.check());
                }
            }
            report.main(ours, measured);
            JournalSums journal = ground.check(holds);
            double events = (double) journal.events() / Math.max(1, holds.begun());
            report.raw(ground.rawCommits(), measured.perSecond() * events);
            out.printf("journal: %.2f events each, %,.0f a second%n", events, measured.perSecond() * events);
            if (options.outstanding() == FIGURES_AT && options.pools() > 1) {
                report.figure(Figure.atMost(
                        "cpu us a hold and its confirm, all processes",
                        220,
                        150,
                        measured.each(measured.used().all())));
            }
            return report.end();
        }
    }

    private static void compare(Report report, Options options, Measured ours, Measured sql) {
        double ratio = ours.perSecond() / sql.perSecond();
        report.ratioSqlRow(ratio);
        if (options.outstanding() == FIGURES_AT) {
            report.figure(
                    options.pools() == 1
                            ? Figure.atLeast("hold-confirm to sql-row on one pool", 2, 3, ratio)
                            : Figure.atLeast("hold-confirm to sql-row", 1.2, 2, ratio));
        }
    }
}
