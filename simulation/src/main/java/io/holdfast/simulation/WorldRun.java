package io.holdfast.simulation;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import io.holdfast.testkit.simulation.Decisions;
import io.holdfast.testkit.simulation.Decisions.Decision;
import io.holdfast.testkit.simulation.Simulation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What became of one world.
 *
 * @param seed it was made from
 * @param weather it was in
 * @param steps it took
 * @param struck how often each fault did
 * @param decisions what struck and what was done, oldest first
 * @param failure what did not hold; empty when everything did
 * @param trace the whole run, line by line, of one that failed; else empty
 */
record WorldRun(
        long seed,
        Weather weather,
        long steps,
        Map<String, Integer> struck,
        List<Decision> decisions,
        Optional<Throwable> failure,
        List<String> trace) {

    /** Runs it; one that fails once more, for its trace, which costs more than the rest of a run. */
    static WorldRun of(long seed, Weather weather, Supplier<? extends Twist> twist, Coverage coverage) {
        return of(seed, weather, twist, coverage, Decisions::all);
    }

    /** Runs a world in which only some things happen, as above. */
    static WorldRun of(long seed, Weather weather, Supplier<? extends Twist> twist, Set<Long> only) {
        return of(seed, weather, twist, Coverage.none(), () -> Decisions.only(only));
    }

    private static WorldRun of(
            long seed,
            Weather weather,
            Supplier<? extends Twist> twist,
            Coverage coverage,
            Supplier<Decisions> decisions) {
        WorldRun run = run(seed, weather, twist.get(), coverage, decisions.get(), false);
        return run.failure().isEmpty() ? run : run(seed, weather, twist.get(), Coverage.none(), decisions.get(), true);
    }

    /** Runs a world in which only some things happen, once and without a trace. */
    static WorldRun untraced(long seed, Weather weather, Twist twist, Set<Long> only) {
        return run(seed, weather, twist, Coverage.none(), Decisions.only(only), false);
    }

    private static WorldRun run(
            long seed, Weather weather, Twist twist, Coverage coverage, Decisions decisions, boolean traced) {
        SaleDay day = new SaleDay(seed, weather, twist, coverage, decisions);
        Simulation simulation = day.simulation();
        if (!traced) {
            day.world().timeline().untraced();
        }
        Optional<Throwable> failure = Optional.empty();
        try {
            day.run();
        } catch (AssertionError | RuntimeException broken) {
            failure = Optional.of(broken);
        }
        return new WorldRun(
                seed,
                weather,
                day.world().timeline().steps(),
                day.world().mishaps().struck(),
                List.copyOf(decisions.taken()),
                traced && failure.isEmpty()
                        ? Optional.of(
                                new AssertionError("SameSeedSameWorld: it failed, and did not when it was run again"))
                        : failure,
                List.copyOf(simulation.trace()));
    }

    /** Steps of a script that did not come up in its run. */
    List<Decision> leftOut(Script script) {
        Set<Long> came = Script.numbers(decisions);
        return script.steps().stream()
                .filter(step -> !came.contains(step.number()))
                .toList();
    }

    /** In a line what did not hold; empty when everything did. */
    Optional<String> told() {
        return failure.map(broken -> "seed " + seed + " (" + weather + "): " + broken.getMessage());
    }

    /** Which claim did not hold; of another failure its class. */
    Optional<String> claim() {
        return failure.map(broken -> {
            String message = String.valueOf(broken.getMessage());
            int colon = message.indexOf(':');
            String first = colon > 0 ? message.substring(0, colon) : "";
            return first.matches("[A-Z][A-Za-z]+") ? first : broken.getClass().getSimpleName();
        });
    }
}
