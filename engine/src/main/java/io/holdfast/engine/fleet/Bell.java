package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the loops of this node: when somebody in this process rings, and, once {@link #listen} was called, when anybody in the fleet sends a
 * NOTIFY on {@link #CHANNEL}. One session listens for the whole node. A ring may be lost while that session is; whoever relies on the
 * bell also looks by itself now and then.
 */
public final class Bell implements AutoCloseable {

    /** The journal's writers, and those who give orders to projections, notify here. */
    public static final String CHANNEL = "holdfast_journal";

    private static final Logger LOG = LoggerFactory.getLogger(Bell.class);
    private static final Duration CHECKED_EVERY = Duration.ofSeconds(5);

    private final List<Runnable> sleepers = new CopyOnWriteArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean listening;
    private volatile @Nullable Connection session;

    /** Wakes everybody. Cheap, never blocks, and may be called as often as something was journaled. */
    public void ring() {
        sleepers.forEach(Runnable::run);
    }

    /** True while a session listens. */
    public boolean listening() {
        return listening;
    }

    /** Has this called at every ring; it must be quick and not throw. */
    public void add(Runnable sleeper) {
        sleepers.add(sleeper);
    }

    /** Has it called no more. */
    public void remove(Runnable sleeper) {
        sleepers.remove(sleeper);
    }

    /** Begins to listen, and to reconnect whenever the session is lost. Once. */
    public void listen(SessionSource sessions, FleetSettings settings) {
        Thread.ofPlatform().daemon().name("holdfast bell").start(() -> {
            int failures = 0;
            while (stop.getCount() > 0) {
                try (Connection connection = sessions.open()) {
                    session = connection;
                    begin(connection, settings);
                    failures = 0;
                    listening = true;
                    ring(); // for whatever was missed
                    while (stop.getCount() > 0) {
                        ringWhenNotified(connection);
                    }
                } catch (SQLException | RuntimeException e) {
                    LOG.debug("the session that listens was lost", e);
                } finally {
                    listening = false;
                    session = null;
                }
                pause(settings.backoff()
                        .delayAfter(++failures, ThreadLocalRandom.current().nextDouble()));
            }
        });
    }

    private static void begin(Connection connection, FleetSettings settings) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("set application_name = 'holdfast bell'");
            s.execute("listen " + CHANNEL);
        }
        connection.setNetworkTimeout(
                Runnable::run, (int) settings.statementTimeout().toMillis());
    }

    private void ringWhenNotified(Connection connection) throws SQLException {
        var heard = connection.unwrap(PGConnection.class).getNotifications((int) CHECKED_EVERY.toMillis());
        if (heard.length > 0) {
            ring();
        } else {
            try (Statement s = connection.createStatement()) {
                s.execute("select 1"); // a server that is gone says nothing either
            }
        }
    }

    private void pause(Duration wait) {
        try {
            stop.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stop.countDown(); // nobody interrupts this thread but to end it
        }
    }

    /** Ends the session that listens. */
    @Override
    public void close() {
        stop.countDown();
        Connection open = session;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("closing the session that listens failed", e);
            }
        }
    }
}
