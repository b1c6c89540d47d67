package io.holdfast.chaos;

import io.holdfast.node.NodeProcessLife;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code ./holdfast chaos} runs. */
@Command(
        name = "./holdfast chaos",
        mixinStandardHelpOptions = true,
        description =
                "Runs real nodes on real stores, kills, freezes and cuts off what they are made of while buyers buy,"
                    + " and then holds everything that buyers were told against the stores. Exit code 1: a promise was"
                    + " not kept; the history and the logs are kept.")
public final class ChaosCommand implements Callable<Integer> {

    private static final int BROKEN = 1;
    private static final int CANT_RUN = 3;
    private static final int MOST_SEED = 1_000_000;

    @Option(names = "--minutes", defaultValue = "5", description = "How long faults go on (${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(names = "--nodes", defaultValue = "3", description = "How many nodes (${DEFAULT-VALUE}).")
    private int nodes = 3;

    @Option(names = "--seed", description = "Which faults, in which order, and what buyers do; any unless given.")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--buyers", defaultValue = "12", description = "Buyers at a time (${DEFAULT-VALUE}).")
    private int buyers = 12;

    @Option(
            names = "--upgrade-from",
            paramLabel = "REVISION",
            description =
                    "Another version: nodes run it at first and are brought to this one, one by one. A revision of this"
                            + " repository, which is built then, or a folder in which one was.")
    private Optional<Path> upgradeFrom = Optional.empty();

    @Option(names = "--only", split = ",", description = "Of the faults, these alone: ${COMPLETION-CANDIDATES}.")
    private List<FaultKind> only = List.of();

    @Option(names = "--folder", description = "Where data, history and logs are kept; a new one unless given.")
    private Optional<Path> folder = Optional.empty();

    private final PrintStream out;

    private ChaosCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        NodeProcessLife.logErrorsOnly();
        System.exit(new CommandLine(new ChaosCommand(System.out))
                .setExecutionExceptionHandler((e, _, _) -> explained(e))
                .execute(args));
    }

    private static int explained(Exception e) throws Exception {
        if (e instanceof ChaosException known) {
            System.err.println("holdfast: " + known.getMessage());
            return CANT_RUN;
        }
        throw e;
    }

    @Override
    public Integer call() throws Exception {
        long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(MOST_SEED));
        String commit = System.getProperty("holdfast.commit", "unknown");
        Path place = folder.isPresent()
                ? Files.createDirectories(folder.get())
                : Files.createTempDirectory("holdfast-chaos");
        Distribution own = Distribution.own(commit);
        out.printf("seed %d, commit %s, %d nodes, %s minutes, in %s%n", chosen, commit, nodes, minutes, place);
        var plan = new ChaosRun.Plan(
                nodes,
                Math.max(1, buyers - buyers / 3),
                Math.max(1, buyers / 3),
                chosen,
                Duration.ofMillis(Math.round(minutes * 60_000)),
                place.toAbsolutePath(),
                only.isEmpty() ? List.of(FaultKind.values()) : only,
                upgradeFrom.map(Distribution::in).orElse(own),
                own);
        List<Violation> broken = new ChaosRun(plan, out).run();
        if (!broken.isEmpty()) {
            out.printf(
                    "%d promises were not kept; history and logs are in %s; again with --seed %d%n",
                    broken.size(), place, chosen);
            return BROKEN;
        }
        out.println("Everything that callers were told is so.");
        if (folder.isEmpty()) {
            remove(place);
        }
        return 0;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
