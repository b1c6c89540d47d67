package io.holdfast.testkit.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs a simulation from many seeds. {@code -Dsim.runs=N} sets how many, {@code -Dsim.first=N} the first of them, {@code -Dsim.seed=N} runs
 * that one alone. The default seeds are always the same, so a build does not fail by chance; campaigns run others.
 */
public final class Seeds {

    private Seeds() {}

    /**
     * A run that was set up and carried out.
     *
     * @param simulation for the report of a failure
     * @param run carries it out and gives how often each fault struck
     */
    public record Prepared(Simulation simulation, Supplier<Map<String, Integer>> run) {}

    /**
     * Runs them all, and stops at the first that fails.
     *
     * @param usual how many seeds when none are asked for
     * @return how often each fault struck, over all runs
     * @throws AssertionError naming the seed and the file with the whole run
     */
    public static Map<String, Integer> each(int usual, LongFunction<Prepared> prepare) {
        Long one = Long.getLong("sim.seed");
        return one != null
                ? range(one, 1, prepare)
                : range(Long.getLong("sim.first", 1L), Long.getLong("sim.runs", usual), prepare);
    }

    /** Runs the first seeds, whatever is asked for: for tests of the simulation itself, which must catch a fault by then. */
    public static void untilCaught(int seeds, LongFunction<Prepared> prepare) {
        range(1, seeds, prepare);
    }

    private static Map<String, Integer> range(long first, long runs, LongFunction<Prepared> prepare) {
        Map<String, Integer> struck = new TreeMap<>();
        for (long seed = first; seed < first + runs; seed++) {
            run(seed, prepare).forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
        }
        return struck;
    }

    private static Map<String, Integer> run(long seed, LongFunction<Prepared> prepare) {
        Prepared prepared = prepare.apply(seed);
        try {
            return prepared.run().get();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "seed " + seed + " (again with -Dsim.seed=" + seed + "): " + failure.getMessage()
                            + System.lineSeparator() + "the whole run is in "
                            + write(seed, prepared.simulation().trace()),
                    failure);
        }
    }

    private static Path write(long seed, List<String> trace) {
        try {
            Path file = Path.of("target", "simulation-seed-" + seed + ".log").toAbsolutePath();
            Files.createDirectories(file.getParent());
            return Files.write(file, trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
