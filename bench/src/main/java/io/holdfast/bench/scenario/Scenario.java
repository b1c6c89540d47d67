package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.report.Result;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Something that can be measured. */
public interface Scenario {

    /** As it is called on the command line. */
    String name();

    /** What it measures, in one sentence. */
    String about();

    /** Measures it on stores of its own, printing what it finds. */
    Result run(Options options, PrintStream out) throws Exception;

    /** All of them, in the order in which {@code all} runs them. */
    static List<Scenario> all() {
        return List.of(
                new HoldScenario(),
                new HoldConfirmScenario(),
                new HotScenario(),
                new SoldOutScenario(),
                new HttpScenario(),
                new GateScenario(),
                new FlashScenario(),
                new OrdersScenario(),
                new KafkaScenario(),
                new RecoverScenario(),
                new RebuildScenario(),
                new ProjectionScenario(),
                new ReconcileScenario(),
                new MemoryScenario());
    }

    /** The one of this name. */
    static Optional<Scenario> named(String name) {
        return all().stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }
}
