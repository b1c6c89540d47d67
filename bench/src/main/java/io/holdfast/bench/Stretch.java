package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.gauge.Profile;
import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Operation;
import io.holdfast.bench.load.Stability;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Warms a load up and measures it. Projections run beside it; what they have not handled when the stretch ends is waited for, and what
 * that costs is charged to the operations measured, so that work put off is not work saved.
 */
final class Stretch {

    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final Duration DRAIN = Duration.ofSeconds(60);
    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final Subject subject;
    private final Meters meters;
    private final PrintStream out;

    Stretch(Subject subject, Meters meters, PrintStream out) {
        this.subject = subject;
        this.meters = meters;
        this.out = out;
    }

    Measured run(Operation operation, Options options, AtomicLong numbers)
            throws InterruptedException, SQLException, IOException {
        var loop = new ClosedLoop(operation, options.outstanding(), numbers);
        loop.start();
        warmUp(loop, options);
        long lagBefore = subject.lag();
        loop.take();
        Meters.Reading before = meters.read();
        long from = System.nanoTime();
        Histogram micros;
        Meters.Reading used;
        double seconds;
        if (options.profile().isPresent()) {
            Path file = options.profile().get();
            try (var profile = Profile.start(file)) {
                pause(options.counted());
                seconds = (System.nanoTime() - from) / 1e9;
                used = meters.read().since(before);
                micros = loop.take();
                out.println("profile: " + file + ", summed up in " + profile.write());
            }
        } else {
            pause(options.counted());
            seconds = (System.nanoTime() - from) / 1e9;
            used = meters.read().since(before);
            micros = loop.take();
        }
        long lagAfter = subject.lag();
        if (!loop.stop(DRAIN)) {
            throw new IllegalStateException("operations are still on the way after " + DRAIN.toSeconds() + " s");
        }
        var left = catchUp();
        out.printf("projections: %,d events behind at the beginning, %,d at the end%n", lagBefore, lagAfter);
        return new Measured(seconds, micros, charged(used, left, lagBefore, lagAfter), loop.failures());
    }

    private void warmUp(ClosedLoop loop, Options options) throws InterruptedException {
        long began = System.nanoTime();
        long latest = began;
        List<Double> rates = new ArrayList<>();
        loop.take();
        while (true) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
            boolean stable = Stability.USUAL.reached(rates);
            if (elapsed.compareTo(options.warmUpMax()) >= 0
                    || (stable && elapsed.compareTo(options.warmUpMin()) >= 0)) {
                out.printf(
                        "warm-up: %d s, %s%n",
                        elapsed.toSeconds(), stable ? "stable" : "not stable, and not waited for any longer");
                return;
            }
            Duration left = options.warmUpMax().minus(elapsed);
            pause(left.compareTo(WINDOW) < 0 ? left : WINDOW);
            long now = System.nanoTime();
            rates.add(loop.take().getTotalCount() / ((now - latest) / 1e9));
            latest = now;
        }
    }

    /** Waits until the projections have handled everything. */
    private Meters.Reading catchUp() throws InterruptedException, SQLException {
        Meters.Reading before = meters.read();
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        while (subject.lag() > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the projections do not catch up");
            }
            pause(Duration.ofMillis(20));
        }
        return meters.read().since(before);
    }

    /** The part of the catching up that belongs to this stretch: the events by which the projections fell back in it. */
    private static Meters.Reading charged(Meters.Reading used, Meters.Reading left, long lagBefore, long lagAfter) {
        double share = lagAfter <= lagBefore ? 0 : (double) (lagAfter - lagBefore) / lagAfter;
        return new Meters.Reading(
                used.jvm() + Math.round(left.jvm() * share),
                used.postgres() + Math.round(left.postgres() * share),
                used.redis() + Math.round(left.redis() * share),
                used.kafka(),
                used.allocated() + Math.round(left.allocated() * share));
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
