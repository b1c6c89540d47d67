package io.holdfast.it;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A death at a window, with pools of its own.
 *
 * @param round of {@code -Dcrash.window-rounds=1}
 */
record Crash(CrashWindow window, int round) {

    private static final int ROUNDS = Integer.getInteger("crash.window-rounds", 1);

    static IntStream rounds() {
        return IntStream.rangeClosed(1, ROUNDS);
    }

    static Stream<Crash> all() {
        return rounds().boxed()
                .flatMap(round -> Stream.of(CrashWindow.values()).map(window -> new Crash(window, round)));
    }

    /** Told apart from those of other crashes. */
    String dish(String name) {
        return "w" + window.ordinal() + "-" + round + "-" + name;
    }
}
