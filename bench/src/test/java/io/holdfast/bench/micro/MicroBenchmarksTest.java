package io.holdfast.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** That every micro benchmark can run, not how fast it is. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MicroBenchmarksTest {

    private static final int ALL = 7 + 1 + 2 + 2 * 2;

    @Test
    void every_one_of_them_runs() throws Exception {
        // Where JMH keeps its lock; nobody else may have needed it yet.
        Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io.holdfast.bench.micro")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results).hasSize(ALL);
    }
}
