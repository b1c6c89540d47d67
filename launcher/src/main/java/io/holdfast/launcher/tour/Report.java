package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.launcher.Api;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What the tour says, and the promises it found kept or broken. */
final class Report {

    private static final int WIDTH = 120;

    private final PrintStream out;
    private final List<String> broken = new ArrayList<>();
    private int steps;
    private int kept;

    Report(PrintStream out) {
        this.out = out;
    }

    /** A step begins. */
    void step(String title) {
        steps++;
        out.printf("%n%2d. %s%n", steps, title);
    }

    /** What is done now. */
    void does(String what) {
        out.println("    " + cut("> " + what));
    }

    /** What came back of it. */
    void answered(Api.Answer answer) {
        out.println("    " + cut("< " + answer.status() + " " + brief(answer)));
    }

    /** Something worth seeing. */
    void saw(String what) {
        out.println("    " + cut("< " + what));
    }

    /** A promise, and whether it is kept. */
    void check(String promise, boolean isKept) {
        out.println("    " + (isKept ? "✓ " : "✗ ") + promise);
        if (isKept) {
            kept++;
        } else {
            broken.add("step " + steps + ": " + promise);
        }
    }

    /** The step could not be walked to its end. */
    void failed(Exception why) {
        check("the step comes to its end, instead of: " + why, false);
    }

    /** The last words. True when every promise was kept. */
    boolean end(long seconds) {
        out.println();
        if (broken.isEmpty()) {
            out.printf("All %d checks of %d steps hold (%d s).%n", kept, steps, seconds);
        } else {
            out.printf("%d of %d checks do not hold (%d s):%n", broken.size(), kept + broken.size(), seconds);
            broken.forEach(promise -> out.println("  ✗ " + promise));
        }
        return broken.isEmpty();
    }

    /** The fields a reader looks for; all of the body is too much for a line. */
    private static String brief(Api.Answer answer) {
        List<String> parts = new ArrayList<>();
        for (String pointer : List.of("/status", "/code", "/detail")) {
            JsonNode value = answer.body().at(pointer);
            if (value.isTextual()) {
                parts.add(value.asText());
            }
        }
        Numbers.in(answer).ifPresent(numbers -> parts.add(numbers.toString()));
        return parts.isEmpty() ? answer.body().toString() : String.join(", ", parts);
    }

    private static String cut(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }
}
