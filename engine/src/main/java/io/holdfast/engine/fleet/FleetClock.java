package io.holdfast.engine.fleet;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one time of the fleet: the database's, read now and then and carried on by this machine's monotonic clock in between. So nodes
 * agree on it, and a node whose wall clock is wrong, or is set, neither ends a hold early nor leaves one waiting (design case 46).
 *
 * <p>Where the database can't be asked the time goes on from the last reading, and drifts as far as two clocks do: some milliseconds an
 * hour.
 */
public final class FleetClock implements InstantSource, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FleetClock.class);

    private static final Duration EVERY = Duration.ofSeconds(10);
    /** The quickest answer says it best. */
    private static final int READINGS = 3;

    /** A worse reading is worth less than one that was carried on for minutes. */
    private static final Duration WORST = Duration.ofMillis(250);

    /** Asks for the time. */
    @FunctionalInterface
    interface Reference {
        Instant now() throws SQLException;
    }

    /**
     * What one answer said.
     *
     * @param at the time in the middle between question and answer
     * @param nanos the monotonic clock then
     * @param within how far it may be wrong: half of the time the answer took
     */
    private record Reading(Instant at, long nanos, Duration within) {}

    private final Reference reference;
    private final LongSupplier monotonic;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast-clock").factory());
    private volatile Reading latest;

    FleetClock(Reference reference, LongSupplier monotonic) throws SQLException {
        this.reference = reference;
        this.monotonic = monotonic;
        this.latest = best();
    }

    /**
     * Reads the database's time, and goes on doing so until it is closed.
     *
     * @throws SQLException when it can't be read a first time
     */
    public static FleetClock by(DataSource database) throws SQLException {
        var clock = new FleetClock(() -> DatabaseTime.of(database), System::nanoTime);
        clock.thread.scheduleWithFixedDelay(clock::readAgain, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
        return clock;
    }

    @Override
    public Instant instant() {
        Reading reading = latest;
        return reading.at().plusNanos(monotonic.getAsLong() - reading.nanos());
    }

    /** How far this time may have been from the database's when it was last read. */
    Duration within() {
        return latest.within();
    }

    void readAgain() {
        try {
            Reading now = best();
            if (now.within().compareTo(WORST) <= 0) {
                latest = now;
            } else {
                LOG.warn(
                        "the database's time took {} to read and is not taken over",
                        now.within().multipliedBy(2));
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("the database's time can't be read, time goes on without it: {}", e.toString());
        }
    }

    private Reading best() throws SQLException {
        Reading best = read();
        for (int i = 1; i < READINGS; i++) {
            Reading next = read();
            best = next.within().compareTo(best.within()) < 0 ? next : best;
        }
        return best;
    }

    private Reading read() throws SQLException {
        long asked = monotonic.getAsLong();
        Instant at = reference.now();
        long took = monotonic.getAsLong() - asked;
        return new Reading(at, asked + took / 2, Duration.ofNanos(took / 2));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
