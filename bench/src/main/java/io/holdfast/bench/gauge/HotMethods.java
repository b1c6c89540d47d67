package io.holdfast.bench.gauge;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Adds up a recording of the flight recorder: where the processor was, and who allocated what. */
final class HotMethods {

    private static final int LINES = 40;
    /** Frames of the JDK and of libraries say little about whose work it is; a stack belongs to the first that is none of these. */
    private static final List<String> PLUMBING = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.");

    private final Map<String, Long> self = new HashMap<>();
    private final Map<String, Long> within = new HashMap<>();
    private final Map<String, Long> owners = new HashMap<>();
    private final Map<String, Long> threads = new HashMap<>();
    private final Map<String, Long> allocatedClasses = new HashMap<>();
    private final Map<String, Long> allocators = new HashMap<>();
    private final Map<String, Long> allocatorPaths = new HashMap<>();
    private long samples;
    private long allocated;
    private Duration collecting = Duration.ZERO;

    private HotMethods() {}

    static HotMethods of(Path recording) throws IOException {
        var hot = new HotMethods();
        try (var file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                hot.add(file.readEvent());
            }
        }
        return hot;
    }

    void print(PrintStream out) {
        out.printf("%d samples of processor time in Java code%n", samples);
        out.printf("beside it: %,d ms of processor time collecting garbage%n", collecting.toMillis());
        table(out, "by thread", threads, samples);
        table(out, "by package that did it or had the JDK do it", owners, samples);
        table(out, "by method, itself", self, samples);
        table(out, "by method, with what it calls", within, samples);
        out.printf("%nallocation, sampled: %,d MB%n", allocated / 1_000_000);
        table(out, "by class", allocatedClasses, allocated);
        table(out, "by method outside the JDK", allocators, allocated);
        table(out, "by class and method outside the JDK", allocatorPaths, allocated);
    }

    private void add(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.CPUTimeSample" -> {
                if (event.getStackTrace() != null) {
                    sample(
                            event,
                            event.getThread("eventThread") == null
                                    ? null
                                    : event.getThread("eventThread").getJavaName());
                }
            }
            case "jdk.ObjectAllocationSample" -> allocation(event);
            case "jdk.GCCPUTime" ->
                collecting = collecting.plus(event.getDuration("userTime")).plus(event.getDuration("systemTime"));
            default -> {
                // The recording holds much more, for those who open it.
            }
        }
    }

    private void sample(RecordedEvent event, @Nullable String thread) {
        samples++;
        count(threads, thread == null ? "(no Java thread)" : thread.replaceAll("\\d+", "N"), 1);
        List<RecordedFrame> frames = frames(event.getStackTrace());
        if (frames.isEmpty()) {
            return;
        }
        count(self, name(frames.getFirst()), 1);
        count(owners, owner(frames, HotMethods::packageOf), 1);
        Set<String> seen = new HashSet<>();
        for (RecordedFrame frame : frames) {
            if (seen.add(name(frame))) {
                count(within, name(frame), 1);
            }
        }
    }

    private void allocation(RecordedEvent event) {
        long weight = event.getLong("weight");
        String type = event.getClass("objectClass").getName();
        allocated += weight;
        count(allocatedClasses, type, weight);
        String owner = owner(frames(event.getStackTrace()), HotMethods::name);
        count(allocators, owner, weight);
        count(allocatorPaths, type + "  in  " + owner, weight);
    }

    private static List<RecordedFrame> frames(@Nullable RecordedStackTrace trace) {
        return trace == null
                ? List.of()
                : trace.getFrames().stream().filter(RecordedFrame::isJavaFrame).toList();
    }

    private static String owner(List<RecordedFrame> frames, Function<RecordedFrame, String> naming) {
        Predicate<RecordedFrame> plumbing =
                frame -> PLUMBING.stream().anyMatch(frame.getMethod().getType().getName()::startsWith);
        return frames.stream().filter(plumbing.negate()).findFirst().map(naming).orElse("(the JDK alone)");
    }

    private static String packageOf(RecordedFrame frame) {
        String type = frame.getMethod().getType().getName();
        int dot = type.lastIndexOf('.');
        return dot < 0 ? type : type.substring(0, dot);
    }

    private static String name(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    private static void count(Map<String, Long> counts, String key, long weight) {
        counts.merge(key, weight, Long::sum);
    }

    private static void table(PrintStream out, String title, Map<String, Long> counts, long all) {
        out.printf("%n%s%n", title);
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(LINES)
                .forEach(entry ->
                        out.printf("%6.2f %%  %s%n", 100.0 * entry.getValue() / Math.max(1, all), entry.getKey()));
    }
}
