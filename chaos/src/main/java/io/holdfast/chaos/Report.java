package io.holdfast.chaos;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run came to, for people. */
final class Report {

    /** After a fault has gone, so long what it did to callers is put down to it. */
    private static final long AFTERMATH_MICROS = 15_000_000;

    private static final double MICROS = 1e6;

    /**
     * What a kind of fault did to callers.
     *
     * @param times how often it came
     * @param silence the longest time in which nobody who wrote was answered, in microseconds
     * @param call the longest that one write took that was begun while it was there
     */
    record Toll(int times, long silence, long call) {
        private Toll and(Toll other) {
            return new Toll(times + other.times, Math.max(silence, other.silence), Math.max(call, other.call));
        }
    }

    private Report() {}

    /** By kind of fault. */
    static Map<String, Toll> tolls(List<Op> ops, List<Injection> injections) {
        List<Op> writes = ops.stream().filter(op -> op.kind() != Kind.READ).toList();
        long[] answers = writes.stream()
                .filter(op -> op.told() != Told.UNKNOWN && op.told() != Told.NOT_TAKEN)
                .mapToLong(Op::to)
                .sorted()
                .toArray();
        Map<String, Toll> tolls = new TreeMap<>();
        for (Injection one : injections) {
            long call = writes.stream()
                    .filter(op -> op.from() >= one.from() && op.from() <= one.to())
                    .mapToLong(op -> op.to() - op.from())
                    .max()
                    .orElse(0);
            tolls.merge(one.kind(), new Toll(1, silence(answers, one), call), Toll::and);
        }
        return tolls;
    }

    private static long silence(long[] answers, Injection one) {
        long until = one.to() + AFTERMATH_MICROS;
        long last = one.from();
        long longest = 0;
        for (long at : answers) {
            if (at < one.from()) {
                continue;
            }
            longest = Math.max(longest, at - last);
            last = at;
            if (at > until) {
                return longest;
            }
        }
        return longest;
    }

    /** Prints all of it. */
    static void print(
            PrintStream out,
            List<Op> ops,
            List<Injection> injections,
            Map<Integer, Integer> ended,
            Optional<Duration> rested,
            List<Violation> violations) {
        Map<String, Long> told = ops.stream()
                .collect(Collectors.groupingBy(op -> op.kind() + " " + op.told(), TreeMap::new, Collectors.counting()));
        out.println("calls: " + ops.size() + " " + told);
        out.printf("%-42s %6s %28s %20s%n", "fault", "times", "longest without an answer", "longest call");
        tolls(ops, injections)
                .forEach((kind, toll) -> out.printf(
                        Locale.ROOT,
                        "%-42s %6d %26.1f s %18.1f s%n",
                        kind,
                        toll.times(),
                        toll.silence() / MICROS,
                        toll.call() / MICROS));
        if (!ended.isEmpty()) {
            List<String> parts = new ArrayList<>();
            ended.forEach((code, times) -> parts.add(times + " with exit code " + code));
            out.println("nodes that ended by themselves and were started again: " + String.join(", ", parts));
        }
        rested.ifPresent(time ->
                out.printf(Locale.ROOT, "at rest %.1f s after the last buyer had left%n", time.toMillis() / 1e3));
        violations.forEach(violation -> out.println("BROKEN " + violation));
    }
}
