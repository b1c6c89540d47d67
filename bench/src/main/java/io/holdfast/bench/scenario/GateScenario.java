package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.GateTrial;
import io.holdfast.bench.Measured;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.SaleSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.raw.RawScripts;
import io.holdfast.bench.raw.RawScripts.Script;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Users before the gates of sales: turned away, asking again, let in. */
final class GateScenario implements Scenario {

    private static final double AT_LEAST = 0.7;
    private static final double WANTED = 0.9;

    @Override
    public String name() {
        return "gate";
    }

    @Override
    public String about() {
        return "users turned away by a gate, and users asking again; beside bare calls of its script, and users let in";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out, stores -> SaleSettings.admitting(stores.kafka()))) {
            Report report = ground.report();
            Subject node = ground.subject();
            var emptySales = new SaleSet("out", options.pools());
            var knownSales = new SaleSet("again", options.pools());
            var empty = new GateTrial(node, emptySales, GateTrial.Kind.SOLD_OUT);
            var known = new GateTrial(node, knownSales, GateTrial.Kind.REPEAT);
            Contender refusals = empty.contender("users turned away", options.outstanding());
            Contender repeats = known.contender("users asking again", options.outstanding());
            List<Contender> contenders = new ArrayList<>(List.of(refusals, repeats));

            Map<String, String> durable =
                    new HashMap<>(SaleSettings.admitting(ground.stores().kafka()));
            durable.put("HOLDFAST_GATE_ANSWER_AFTER", "adopt");
            durable.put("HOLDFAST_KAFKA_GROUP", "bench-let-in");
            Subject second = ground.another("let_in", durable);
            var plenty = new GateTrial(second, new SaleSet("in", options.pools()), GateTrial.Kind.ADMIT);
            Contender admissions = plenty.contender("users let in, journaled", options.outstanding());
            contenders.add(admissions);

            MeasuredAll measured = ground.turns(contenders);
            Measured refused = measured.of(refusals);
            Measured repeated = measured.of(repeats);
            report.main(refusals, refused);
            report.print(repeats, repeated);
            report.print(admissions, measured.of(admissions));

            RawRate rawRefusals = raw(ground, options, emptySales, Script.ADMIT_SOLD_OUT);
            report.raw(rawRefusals, refused.perSecond());
            report.figure(Figure.atLeast(
                    "users turned away to bare calls that turn away",
                    AT_LEAST,
                    WANTED,
                    refused.perSecond() / rawRefusals.perSecond()));
            var bareSales = new SaleSet("bare", options.pools());
            node.createSales(bareSales, OurTrial.PLENTY);
            RawRate rawRepeats = raw(ground, options, bareSales, Script.ADMIT_AGAIN);
            report.print(rawRepeats);
            report.figure(Figure.atLeast(
                    "users asking again to bare calls that ask again",
                    AT_LEAST,
                    WANTED,
                    repeated.perSecond() / rawRepeats.perSecond()));

            check(ground, node, empty, known);
            check(ground, second, plenty);
            return report.end();
        }
    }

    private static RawRate raw(Ground ground, Options options, SaleSet sales, Script script) throws Exception {
        Duration turn = ground.share(Duration.ofSeconds(3));
        return new RawScripts(
                        ground.stores().redis().uri(),
                        sales.pools().stream().map(pool -> pool.value()).toList())
                .run(script, options.outstanding(), turn.dividedBy(2), turn);
    }

    private static void check(Ground ground, Subject node, GateTrial... trials) throws Exception {
        node.awaitNoLag(SaleSettings.PATIENCE);
        JournalSums journal = JournalSums.of(node.database());
        ground.report().off(journal.faults());
        for (GateTrial trial : trials) {
            ground.check(node, journal, trial.told());
        }
    }
}
