package io.holdfast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Everything that callers asked and were told, and every fault, on one clock. Many threads write. */
final class History {

    private static final int NANOS = 1_000;

    private final long begun = System.nanoTime();
    private final List<Op> ops = new ArrayList<>();
    private final List<Injection> injections = new ArrayList<>();

    /** Microseconds since the run began. */
    long now() {
        return (System.nanoTime() - begun) / NANOS;
    }

    synchronized void add(Op op) {
        ops.add(op);
    }

    synchronized void add(Injection injection) {
        injections.add(injection);
    }

    /** By the time they began. */
    synchronized List<Op> ops() {
        return ops.stream().sorted(Comparator.comparingLong(Op::from)).toList();
    }

    synchronized List<Injection> injections() {
        return List.copyOf(injections);
    }

    /** Writes all of it, a line each, in order of time. */
    void write(Path file) throws IOException {
        record Line(long at, String text) {}
        List<String> lines = Stream.concat(
                        ops().stream().map(op -> new Line(op.from(), op.line())),
                        injections().stream().map(one -> new Line(one.from(), one.line())))
                .sorted(Comparator.comparingLong(Line::at))
                .map(Line::text)
                .toList();
        Files.write(file, lines);
    }
}
