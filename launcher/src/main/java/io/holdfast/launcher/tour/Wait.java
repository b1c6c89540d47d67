package io.holdfast.launcher.tour;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looks again and again until something is so. */
final class Wait {

    private static final Duration BETWEEN = Duration.ofMillis(100);

    private Wait() {}

    /** The first value that is as wanted; the last one seen, if patience ends before. */
    static <T> T until(Duration patience, Supplier<T> look, Predicate<? super T> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        T seen = look.get();
        while (!wanted.test(seen) && System.nanoTime() < deadline) {
            TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
            seen = look.get();
        }
        return seen;
    }
}
