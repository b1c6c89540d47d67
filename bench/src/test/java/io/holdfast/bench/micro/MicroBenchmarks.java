package io.holdfast.bench.micro;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the micro benchmarks for their figures, for {@code ./holdfast bench micro}. Its name keeps it out of the build, which has no use
 * for figures. Property {@code micro}: a regular expression of those to run.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MicroBenchmarks {

    private static final int ITERATIONS = 5;

    @Test
    void measure() throws Exception {
        new Runner(new OptionsBuilder()
                        .include(System.getProperty("micro", "io.holdfast.bench.micro"))
                        .forks(1)
                        .warmupIterations(ITERATIONS)
                        .warmupTime(TimeValue.seconds(2))
                        .measurementIterations(ITERATIONS)
                        .measurementTime(TimeValue.seconds(2))
                        .jvmArgsAppend(
                                "-XX:+UseParallelGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-XX:+UseTransparentHugePages",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow")
                        .addProfiler("gc")
                        .build())
                .run();
    }
}
