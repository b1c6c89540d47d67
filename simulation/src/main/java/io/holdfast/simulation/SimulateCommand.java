package io.holdfast.simulation;

import io.holdfast.simulation.variant.WrongVariants;
import io.holdfast.simulation.world.Twist;
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
import java.util.function.Supplier;
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

    @Option(
            names = "--variant",
            description = "Of the wrong variants, this one alone; the world that shows it is shrunk.")
    private Optional<String> only = Optional.empty();

    @Option(
            names = "--folder",
            defaultValue = ".",
            description = "Where the run of a world that failed is written, and the script it is shrunk to.")
    private Path folder = Path.of(".");

    @Option(
            names = "--shrink-seconds",
            defaultValue = "120",
            description = "How long a world that failed is shrunk at most (${DEFAULT-VALUE}); 0 leaves it as it is.")
    private int shrinkSeconds = 120;

    @Option(names = "--script", description = "Runs this script alone, as one is written of a world that failed.")
    private Optional<Path> script = Optional.empty();

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
        return script.map(this::again).orElseGet(() -> wrongVariants ? tryTheClaims() : simulate());
    }

    private int again(Path file) {
        Script read = Script.read(file);
        WorldRun run = read.run();
        run.leftOut(read).forEach(step -> out.println("did not come up: " + step.at() + " " + step.what()));
        if (run.failure().isEmpty()) {
            out.printf("%d steps, and every claim held%n", read.steps().size());
            return 0;
        }
        out.printf(
                "%s%n  its whole run is in %s%n",
                run.told().orElseThrow(), write("simulation-script-" + run.seed() + ".log", trace(run)));
        return BROKEN;
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
            out.printf(
                    "%s: %d of the %d cells of its matrix that a fleet can come to were reached (%d it can't)%n",
                    machine,
                    report.coverage().reached(machine),
                    report.coverage().cells(machine) - report.coverage().outOfReach(machine),
                    report.coverage().outOfReach(machine));
            if (!missed.isEmpty()) {
                out.println("  not reached: " + String.join(", ", missed));
            }
        }
        return report.failed().map(this::tell).orElse(0);
    }

    private int tell(WorldRun failed) {
        out.printf(
                "seed %d (%s) failed: %s%n  %s%n  its whole run is in %s; again with --from %d --seeds 1%n",
                failed.seed(),
                failed.weather(),
                failed.claim().orElse(""),
                failed.failure().map(Throwable::getMessage).orElse(""),
                write("simulation-seed-" + failed.seed() + ".log", trace(failed)),
                failed.seed());
        shrink(failed, Optional.empty());
        return BROKEN;
    }

    private void shrink(WorldRun failed, Optional<String> variant) {
        if (shrinkSeconds == 0) {
            return;
        }
        Supplier<? extends Twist> twist =
                variant.<Supplier<? extends Twist>>map(WrongVariants::named).orElse(() -> Twist.NONE);
        Shrinking.Shrunk shrunk = Shrinking.of(failed, variant, twist, Duration.ofSeconds(shrinkSeconds));
        String name = "simulation-seed-" + failed.seed();
        out.printf(
                "  shrunk from %d things that happened to %d%s, in %d worlds: %s, and its run is in %s%n",
                shrunk.of(),
                shrunk.script().steps().size(),
                shrunk.fewest() ? "" : " (not to the end: the time was over)",
                shrunk.tried(),
                write(name + Script.SUFFIX, shrunk.script().lines()),
                write(name + "-short.log", trace(shrunk.script().run())));
        shrunk.script().steps().forEach(step -> out.println("    " + step.at() + " " + step.what()));
        out.println("  in simulation/src/test/resources/scripts the script is a test of every build");
    }

    private static List<String> trace(WorldRun failed) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + failed.seed() + ", " + failed.weather());
        lines.addAll(failed.trace());
        failed.failure().ifPresent(failure -> {
            lines.add(String.valueOf(failure));
            for (StackTraceElement element : failure.getStackTrace()) {
                lines.add("    at " + element);
            }
        });
        return lines;
    }

    private Path write(String name, List<String> lines) {
        try {
            return Files.write(folder.resolve(name).toAbsolutePath(), lines);
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
                if (only.isPresent()) {
                    shrink(world, only);
                }
            } else {
                survived++;
                out.printf("%-24s SURVIVED %d worlds: it %s%n", trial.name(), trial.worlds(), trial.what());
            }
        }
        out.printf("%d wrong variants, %d survived%n", tried, survived);
        return survived == 0 && tried > 0 ? 0 : BROKEN;
    }
}
