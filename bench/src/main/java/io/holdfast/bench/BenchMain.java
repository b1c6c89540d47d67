package io.holdfast.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.holdfast.bench.report.Result;
import io.holdfast.node.LoggingWithoutContext;
import java.nio.file.Path;
import java.time.Duration;
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
        description = "Measures a scenario on this machine, beside its raw limits. Exit code 1: the sums are off.")
public final class BenchMain implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "SCENARIO", description = "What to measure: hold.")
    private String scenario = "";

    @Option(names = "--seconds", defaultValue = "20", description = "How long is measured (${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--outstanding",
            defaultValue = "256",
            description = "Operations on the way at any time (${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(names = "--pools", defaultValue = "1000", description = "Pools they are spread over (${DEFAULT-VALUE}).")
    private int pools = 1000;

    @Option(names = "--json", description = "Where the result goes as JSON.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--warm-up",
            defaultValue = "60",
            description = "The longest warm-up in seconds (${DEFAULT-VALUE}).")
    private int warmUp = 60;

    @Option(names = "--profile", description = "Where a flight recording goes; a summary is written beside it.")
    private Optional<Path> profile = Optional.empty();

    private BenchMain() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        LoggingWithoutContext.install();
        System.exit(new CommandLine(new BenchMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (!scenario.equals("hold")) {
            System.err.println("holdfast: there is no scenario '" + scenario + "'.");
            return 2;
        }
        Duration longest = Duration.ofSeconds(warmUp);
        Options options =
                new Options(Duration.ofSeconds(seconds), longest.dividedBy(2), longest, outstanding, pools, profile);
        Result result = new HoldScenario(System.out).run(options);
        if (json.isPresent()) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(json.get().toFile(), result);
        }
        return result.checksOk() ? 0 : 1;
    }
}
