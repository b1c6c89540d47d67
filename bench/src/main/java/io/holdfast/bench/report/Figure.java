package io.holdfast.bench.report;

import java.util.Locale;

/**
 * A figure that is wanted, and what the run made of it.
 *
 * @param what it says, with its unit
 * @param direction which side of the bound is good
 * @param bound what must be reached
 * @param wanted what is hoped for beyond it; equal to the bound where nothing is
 * @param value what the run reached
 */
public record Figure(String what, Direction direction, double bound, double wanted, double value) {

    /** Which side of a bound is good. */
    public enum Direction {
        AT_LEAST(">="),
        AT_MOST("<=");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    /** At least the bound. */
    public static Figure atLeast(String what, double bound, double wanted, double value) {
        return new Figure(what, Direction.AT_LEAST, bound, wanted, value);
    }

    /** At most the bound. */
    public static Figure atMost(String what, double bound, double wanted, double value) {
        return new Figure(what, Direction.AT_MOST, bound, wanted, value);
    }

    /** Whether the bound is reached. */
    public boolean met() {
        return reaches(bound);
    }

    /** One line. */
    public String line() {
        String verdict = met() ? (wanted != bound && reaches(wanted) ? "met, and what is wanted" : "met") : "NOT MET";
        String hope = wanted == bound ? "" : " (" + number(wanted) + " wanted)";
        return what + ": " + number(value) + ", bound " + direction.sign + " " + number(bound) + hope + ": " + verdict;
    }

    private boolean reaches(double line) {
        return switch (direction) {
            case AT_LEAST -> value >= line;
            case AT_MOST -> value <= line;
        };
    }

    private static String number(double number) {
        return String.format(Locale.ROOT, Math.abs(number) >= 20 ? "%.0f" : "%.2f", number);
    }
}
