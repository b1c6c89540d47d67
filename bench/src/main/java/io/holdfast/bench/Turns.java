package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.gauge.Profile;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.load.Stability;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures loads turn and turn about: first each is warmed up until its rate is stable, then they alternate, so that whatever drifts on
 * the machine meets all of them. Work that a load puts off (projections that fall behind) is waited for after its turn, and what that costs
 * is charged to the operations of the turn: work put off is not work saved.
 */
public final class Turns {

    private static final int ROUNDS = 2;
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final Duration DRAIN = Duration.ofSeconds(60);
    private static final Duration CATCH_UP = Duration.ofMinutes(5);

    private final Meters meters;
    private final PrintStream out;

    /** Turns measured by these meters. */
    public Turns(Meters meters, PrintStream out) {
        this.meters = meters;
        this.out = out;
    }

    /** Warms all up and lets them take their turns. */
    public MeasuredAll run(List<Contender> contenders, Options options)
            throws InterruptedException, SQLException, IOException {
        Map<Contender, Measured> results = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            results.put(contender, warmUp(contender, options));
        }
        Optional<Path> profile = options.profile();
        Map<Contender, Measured> counted = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Contender contender : contenders) {
                counted.merge(contender, turn(contender, options.counted().dividedBy(ROUNDS), profile), Measured::and);
                profile = Optional.empty();
            }
        }
        // What failed in the warm-up has failed.
        counted.replaceAll((contender, measured) -> new Measured(
                measured.seconds(),
                measured.micros(),
                measured.used(),
                measured.and(results.getOrDefault(contender, measured)).failures()));
        return new MeasuredAll(counted);
    }

    private Measured warmUp(Contender contender, Options options) throws InterruptedException, SQLException {
        Duration longest = options.warmUp();
        Duration shortest = min(contender.shortestWarmUp(), longest.dividedBy(2));
        Load load = contender.load().get();
        long began = System.nanoTime();
        load.start();
        long latest = began;
        List<Double> rates = new ArrayList<>();
        Duration elapsed = Duration.ZERO;
        while (elapsed.compareTo(longest) < 0 && (elapsed.compareTo(shortest) < 0 || !Stability.USUAL.reached(rates))) {
            pause(min(longest.minus(elapsed), WINDOW));
            long now = System.nanoTime();
            rates.add(load.take().getTotalCount() / ((now - latest) / 1e9));
            latest = now;
            elapsed = Duration.ofNanos(now - began);
        }
        load.stop(DRAIN);
        catchUp(contender);
        out.printf(
                "%s: warmed up for %d s, %s%n",
                contender.name(),
                elapsed.toSeconds(),
                Stability.USUAL.reached(rates) ? "stable" : "and not waited for any longer");
        return new Measured(0, Load.empty(), meters.read().since(meters.read()), load.failures());
    }

    private Measured turn(Contender contender, Duration time, Optional<Path> profile)
            throws InterruptedException, SQLException, IOException {
        Load load = contender.load().get();
        load.start();
        pause(min(time.dividedBy(4), WINDOW));
        long behindBefore = contender.backlog().size();
        load.take();
        Meters.Reading before = meters.read();
        long from = System.nanoTime();
        Optional<Profile> recording = profile.map(_ -> Profile.start());
        pause(time);
        Histogram micros = load.take();
        double seconds = (System.nanoTime() - from) / 1e9;
        Meters.Reading used = meters.read().since(before);
        long behindAfter = contender.backlog().size();
        if (recording.isPresent()) {
            try (Profile done = recording.get()) {
                Path summary = done.write(profile.orElseThrow());
                out.println("profile: " + profile.orElseThrow() + ", summed up in " + summary);
            }
        }
        load.stop(DRAIN);
        Meters.Reading left = catchUp(contender);
        out.printf(
                "  %s: %,.0f a second; %,d events behind at the beginning, %,d at the end%n",
                contender.name(), micros.getTotalCount() / seconds, behindBefore, behindAfter);
        return new Measured(seconds, micros, charged(used, left, behindBefore, behindAfter), load.failures());
    }

    /** Waits until what was put off is done. */
    private Meters.Reading catchUp(Contender contender) throws InterruptedException, SQLException {
        Meters.Reading before = meters.read();
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        while (contender.backlog().size() > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        contender.name() + ": what was put off is not done after " + CATCH_UP.toSeconds() + " s");
            }
            pause(Duration.ofMillis(250));
        }
        return meters.read().since(before);
    }

    /** The part of the catching up that belongs to this turn: what the backlog grew by in it. */
    private static Meters.Reading charged(Meters.Reading used, Meters.Reading left, long before, long after) {
        double share = after <= before ? 0 : (double) (after - before) / after;
        return new Meters.Reading(
                used.jvm() + Math.round(left.jvm() * share),
                used.postgres() + Math.round(left.postgres() * share),
                used.redis() + Math.round(left.redis() * share),
                used.kafka(),
                used.allocated() + Math.round(left.allocated() * share));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
