package io.holdfast.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.node.LoggingWithoutContext;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code ./holdfast bench} runs. */
@Command(
        name = "./holdfast bench",
        mixinStandardHelpOptions = true,
        description = "Measures a scenario on this machine, beside its raw limits. Exit code 1: sums are off, so the"
                + " figures are worth nothing.")
public final class BenchMain implements Callable<Integer> {

    private static final String ALL = "all";
    private static final int USAGE = 2;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SCENARIO",
            description = "What to measure; --list says what there is, all is all of it.")
    private Optional<String> scenario = Optional.empty();

    @Option(names = "--list", description = "Say what there is.")
    private boolean list;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "How long each of those that take turns is measured (${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--outstanding",
            defaultValue = "256",
            description = "Operations on the way at any time (${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(names = "--pools", defaultValue = "1000", description = "Pools they are spread over (${DEFAULT-VALUE}).")
    private int pools = 1000;

    @Option(
            names = "--many",
            defaultValue = "100000",
            description =
                    "Holds in flight (recover), to confirm (kafka), to load anew (rebuild), live entities (memory),"
                            + " reservations to compare (reconcile) (${DEFAULT-VALUE}).")
    private int many = 100_000;

    @Option(names = "--json", description = "Where the results go, one JSON object a line for each run.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--warm-up",
            defaultValue = "60",
            description = "The longest warm-up of each, in seconds (${DEFAULT-VALUE}).")
    private int warmUp = 60;

    @Option(names = "--alone", description = "Leave out those it is compared with.")
    private boolean alone;

    @Option(
            names = "--profile",
            description = "Where a flight recording of the first turn goes; a summary is written beside it.")
    private Optional<Path> profile = Optional.empty();

    private BenchMain() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        LoggingWithoutContext.install();
        Locale.setDefault(Locale.ROOT); // numbers read the same wherever they are printed
        System.exit(run(arguments));
    }

    /** The same without exiting. */
    static int run(String... arguments) {
        return new CommandLine(new BenchMain()).execute(arguments);
    }

    @Override
    public Integer call() throws Exception {
        if (list) {
            Scenario.all().forEach(one -> System.out.printf("%-14s %s%n", one.name(), one.about()));
            return 0;
        }
        Optional<String> tooSmall = tooSmall();
        if (tooSmall.isPresent()) {
            System.err.println("holdfast: " + tooSmall.get() + " must be at least 1.");
            return USAGE;
        }
        List<Scenario> chosen = scenario.filter(ALL::equals).isPresent()
                ? Scenario.all()
                : scenario.flatMap(Scenario::named).stream().toList();
        if (chosen.isEmpty()) {
            System.err.println(
                    "holdfast: there is no scenario '" + scenario.orElse("") + "'; --list says what there is.");
            return USAGE;
        }
        if (json.isPresent()) {
            try {
                Files.write(json.get(), new byte[0]);
            } catch (IOException e) { // better now than after the run
                System.err.println("holdfast: the results can't be written to " + json.get() + ": " + e);
                return USAGE;
            }
        }
        List<Result> results = new ArrayList<>();
        for (Scenario one : chosen) {
            for (Options options : variants(one)) {
                Result result = one.run(options, System.out);
                write(result);
                results.add(result);
            }
        }
        return code(results);
    }

    /** 1 if a sum of any run is off, whatever the figures are. */
    static int code(List<Result> results) {
        return results.stream().allMatch(Result::checksOk) ? 0 : 1;
    }

    /** The first option of which less than one makes no sense: nothing would be done, and all sums of nothing agree. */
    private Optional<String> tooSmall() {
        Map<String, Integer> given = new LinkedHashMap<>();
        given.put("--seconds", seconds);
        given.put("--outstanding", outstanding);
        given.put("--pools", pools);
        given.put("--many", many);
        given.put("--warm-up", warmUp);
        return given.entrySet().stream()
                .filter(option -> option.getValue() < 1)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What was asked for; of {@code all}, also the two figures that are wanted at other numbers. */
    private List<Options> variants(Scenario one) {
        Options asked = new Options(
                Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp), outstanding, pools, many, alone, profile);
        if (!scenario.filter(ALL::equals).isPresent()) {
            return List.of(asked);
        }
        return switch (one.name()) {
            case "hold" -> List.of(asked, asked.withOutstanding(64));
            case "hold-confirm" -> List.of(asked, asked.withPools(1));
            default -> List.of(asked);
        };
    }

    private void write(Result result) throws IOException {
        if (json.isPresent()) {
            try (BufferedWriter file =
                    Files.newBufferedWriter(json.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                file.write(new ObjectMapper().writeValueAsString(result));
                file.newLine();
            }
        }
    }
}
