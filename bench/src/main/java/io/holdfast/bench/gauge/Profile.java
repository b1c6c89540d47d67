package io.holdfast.bench.gauge;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A flight recording of a stretch of time, with a summary beside it that needs no tool to be read. */
public final class Profile implements AutoCloseable {

    private final Recording recording;
    private final long compiledMillis = compileMillis();

    private Profile(Recording recording) {
        this.recording = recording;
    }

    /** Begins to record. */
    public static Profile start() {
        try {
            var recording = new Recording(Configuration.getConfiguration("profile"));
            // By processor time, not by elapsed time: native code and waiting count for what they use.
            recording.enable("jdk.CPUTimeSample").with("throttle", "5ms").withStackTrace();
            recording
                    .enable("jdk.ObjectAllocationSample")
                    .with("throttle", "1000/s")
                    .withStackTrace();
            recording.start();
            return new Profile(recording);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalStateException("the JDK's own recording settings can't be read", e);
        }
    }

    /**
     * Ends the recording and writes it, and the summary beside it.
     *
     * @return where the summary is
     */
    public Path write(Path file) throws IOException {
        recording.stop();
        long compiling = compileMillis() - compiledMillis;
        recording.dump(file);
        Path summary = file.resolveSibling(file.getFileName() + ".txt");
        try (var out = new PrintStream(Files.newOutputStream(summary), false, StandardCharsets.UTF_8)) {
            HotMethods.of(file).print(out);
            out.printf("%ncompiling, elapsed time of its threads: %,d ms%n", compiling);
        }
        return summary;
    }

    private static long compileMillis() {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }

    @Override
    public void close() {
        recording.close();
    }
}
