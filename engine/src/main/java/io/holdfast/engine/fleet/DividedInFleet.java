package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a part of some work on this node, beside the nodes that do the rest. Every node runs one; each unit of the work is done by one of
 * them.
 *
 * <p>The right to a unit is a session-level advisory lock, taken on the very connection the work is done on. If the node dies, or that
 * connection does, its locks are gone together with any unfinished transaction, and the other nodes take its units over; a node that has
 * lost its session can't commit anything more. There is no lease that could run out while the work goes on, and no clock is compared.
 *
 * <p>Each keeps one session open, also while it stands by. Needs real sessions: a connection pooler that shares them between clients
 * ("transaction mode") breaks the locks.
 */
public final class DividedInFleet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DividedInFleet.class);

    private final DividedWork work;
    private final SessionSource sessions;
    private final Bell bell;
    private final FleetSettings settings;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private final Alarm alarm = new Alarm();
    private volatile boolean running;
    private volatile @Nullable Connection held;
    private volatile @Nullable String trouble;
    private int failures;

    /** @param bell ends the waits between rounds */
    public DividedInFleet(DividedWork work, SessionSource sessions, Bell bell, FleetSettings settings) {
        this.work = work;
        this.sessions = sessions;
        this.bell = bell;
        this.settings = settings;
        this.thread =
                Thread.ofPlatform().daemon().name("holdfast " + work.name()).unstarted(this::loop);
    }

    /** Begins to try for units. Once. */
    public void start() {
        thread.start();
    }

    /** True while this node has some of the work. */
    public boolean running() {
        return running;
    }

    /** What made the work begin again, unless a round has succeeded since, or others do all of it now. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Ends the loop, after the current round if that ends soon, and gives its units back. */
    @Override
    public void close() {
        stop.countDown();
        alarm.ring();
        if (!thread.isAlive()) {
            return;
        }
        try {
            if (!thread.join(settings.statementTimeout())) {
                Connection stuck = held;
                if (stuck != null) {
                    LOG.warn("{}: the current round does not end; its connection is cut", work.name());
                    stuck.abort(Runnable::run);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            LOG.warn("{}: closing a connection failed", work.name(), e);
        }
    }

    private void loop() {
        Runnable ringing = alarm::ring;
        bell.add(ringing);
        while (!stopping()) {
            try {
                runSession();
            } catch (Throwable failure) { // whatever it is, the thread must live: there is no other to notice
                if (stopping()) {
                    LOG.info("{}: ended while stopping: {}", work.name(), failure.toString());
                    break;
                }
                Duration wait = settings.backoff()
                        .delayAfter(++failures, ThreadLocalRandom.current().nextDouble());
                LOG.warn("{}: failed, begins again in {} ms", work.name(), wait.toMillis(), failure);
                trouble = failure.toString();
                work.failed(failure);
                pauseAtLeast(wait);
            }
        }
        bell.remove(ringing);
    }

    private void runSession() throws SQLException {
        Connection connection = sessions.open();
        held = connection;
        try {
            FleetSession.prepare(connection, "holdfast " + work.name(), settings);
            work.begin(connection);
            var claims = new Claims(connection, work.name(), work.units());
            claims.join();
            long tendAt = System.nanoTime();
            while (!stopping()) {
                if (System.nanoTime() - tendAt >= 0) {
                    if (claims.tend()) {
                        LOG.info("{}: has {} of {}", work.name(), claims.mine(), work.units());
                        work.hold(connection, claims.mine());
                        running = !claims.mine().isEmpty();
                    }
                    tendAt = System.nanoTime() + settings.standby().toNanos();
                }
                Pause pause = Pause.of(settings.standby());
                if (running) {
                    pause = work.round(connection);
                    failures = 0;
                }
                trouble = null;
                pause(pause, tendAt);
            }
        } finally {
            running = false;
            held = null;
            close(connection);
        }
    }

    private void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("{}: the session is gone, and its locks with it: {}", work.name(), e.toString());
        }
    }

    private void pause(Pause pause, long until) {
        Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
        Duration least = pause.least().compareTo(left) < 0 ? pause.least() : left;
        pauseAtLeast(least);
        Duration most = pause.most().compareTo(left) < 0 ? pause.most() : left;
        alarm.await(most.minus(least));
    }

    private void pauseAtLeast(Duration wait) {
        if (wait.isPositive()) {
            try {
                stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                stop.countDown(); // nobody interrupts this thread but to end it
            }
        }
    }

    private boolean stopping() {
        return stop.getCount() == 0;
    }
}
