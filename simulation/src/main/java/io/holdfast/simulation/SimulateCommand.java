package io.holdfast.simulation;

import io.holdfast.simulation.variant.WrongVariants;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code ./holdfast simulate} runs. */
@Command(
        name = "./holdfast simulate",
        mixinStandardHelpOptions = true,
        description =
                "Runs whole fleets in one thread and virtual time, with everything going wrong around them. Exit code"
                        + " 1: a claim did not hold, or a wrong variant was not noticed.")
public final class SimulateCommand implements Callable<Integer> {

    private static final int BROKEN = 1;

    @Option(names = "--seeds", description = "How many worlds; without --minutes 200 unless given.")
    private long seeds;

    @Option(names = "--from", defaultValue = "1", description = "The first seed (${DEFAULT-VALUE}).")
    private long from = 1;

    @Option(names = "--minutes", description = "No world is begun after so long.")
    private long minutes;

    @Option(
            names = "--threads",
            description = "Worlds beside each other; as many as there are processors unless given.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--wrong-variants",
            description =
                    "Tries the claims instead: every wrong variant must be noticed within --seeds worlds, 40 unless"
                            + " given.")
    private boolean wrongVariants;

    @Option(names = "--variant", description = "Of the wrong variants, this one alone.")
    private Optional<String> only = Optional.empty();

    @Option(names = "--folder", defaultValue = ".", description = "Where the run of a world that failed is written.")
    private Path folder = Path.of(".");

    private final PrintStream out;

    private SimulateCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulateCommand(System.out)).execute(args));
    }

    @Override
    public Integer call() {
        out.printf("commit %s%n", System.getProperty("holdfast.commit", "unknown"));
        return wrongVariants ? tryTheClaims() : simulate();
    }

    private int simulate() {
        long most = seeds > 0 ? seeds : minutes > 0 ? Long.MAX_VALUE : 200;
        Duration time = minutes > 0 ? Duration.ofMinutes(minutes) : Duration.ofDays(365);
        Campaign.Report report = new Campaign(from, most, time).run(threads);
        out.printf(
                Locale.ROOT,
                "%d worlds from seed %d on, %d steps (%d a world), in %.1f s: %d worlds a minute%n",
                report.worlds(),
                from,
                report.steps(),
                report.steps() / Math.max(1, report.worlds()),
                report.took().toMillis() / 1e3,
                report.aMinute());
        out.println("worlds by weather: " + report.weathers());
        out.println("faults injected: " + report.struck());
        for (String machine : report.coverage().machines()) {
            Set<String> missed = report.coverage().missed(machine);
            int cells = report.coverage().cells(machine);
            out.printf("%s: %d of %d cells of its matrix reached%n", machine, cells - missed.size(), cells);
            if (!missed.isEmpty()) {
                out.println("  not reached: " + String.join(", ", missed));
            }
        }
        return report.failed().map(this::tell).orElse(0);
    }

    private int tell(WorldRun failed) {
        Path file = written(failed);
        out.printf(
                "seed %d (%s) failed: %s%n  %s%n  its whole run is in %s; again with --from %d --seeds 1%n",
                failed.seed(),
                failed.weather(),
                failed.claim().orElse(""),
                failed.failure().map(Throwable::getMessage).orElse(""),
                file,
                failed.seed());
        return BROKEN;
    }

    private Path written(WorldRun failed) {
        Path file = folder.resolve("simulation-seed-" + failed.seed() + ".log").toAbsolutePath();
        List<String> lines = new ArrayList<>();
        lines.add("seed " + failed.seed() + ", " + failed.weather());
        lines.addAll(failed.trace());
        failed.failure().ifPresent(failure -> {
            lines.add(String.valueOf(failure));
            for (StackTraceElement element : failure.getStackTrace()) {
                lines.add("    at " + element);
            }
        });
        try {
            return Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int tryTheClaims() {
        int survived = 0;
        int tried = 0;
        for (var variant : WrongVariants.all()) {
            if (only.filter(name -> !name.equals(variant.get().name())).isPresent()) {
                continue;
            }
            tried++;
            Oracle.Trial trial = Oracle.of(variant, from, seeds > 0 ? seeds : 40);
            if (trial.caught().isPresent()) {
                WorldRun world = trial.caught().get();
                out.printf(
                        "%-24s caught by %s after %d of its worlds (seed %d, %s): it %s%n",
                        trial.name(),
                        world.claim().orElse(""),
                        trial.worlds(),
                        world.seed(),
                        world.weather(),
                        trial.what());
            } else {
                survived++;
                out.printf("%-24s SURVIVED %d worlds: it %s%n", trial.name(), trial.worlds(), trial.what());
            }
        }
        out.printf("%d wrong variants, %d survived%n", tried, survived);
        return survived == 0 && tried > 0 ? 0 : BROKEN;
    }
}
