package io.holdfast.engine.fleet;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one piece of work on one node of the fleet at a time.
 *
 * <p>The right to run is a session-level advisory lock, taken on the very connection the work is done on. If the node dies, or that
 * connection does, the lock is gone together with any unfinished transaction, and another node takes over; a node that has lost its
 * session can't commit anything more. There is no lease that could run out while the work goes on, and no clock is compared.
 *
 * <p>The running node keeps one connection out of the pool; the others take one for a moment now and then. Needs real sessions: a
 * connection pooler that shares them between clients ("transaction mode") breaks the lock.
 */
public final class OneInFleet implements AutoCloseable {

    /** Whoever sends a NOTIFY on this channel ends the waits of all loops at once. */
    public static final String CHANNEL = "holdfast_journal";

    /** The major version of PostgreSQL that has {@code transaction_timeout}. */
    public static final int FIRST_WITH_TRANSACTION_TIMEOUT = 17;

    private static final Logger LOG = LoggerFactory.getLogger(OneInFleet.class);
    private static final Duration STOP_LATENCY = Duration.ofMillis(200);
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);
    private static final int FIRST_WITH_SESSION_TIMEOUT = 14;

    private final FleetWork work;
    private final HikariDataSource pool;
    private final FleetSettings settings;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean running;
    private volatile @Nullable Connection held;
    private volatile @Nullable String trouble;
    private int failures;

    public OneInFleet(FleetWork work, HikariDataSource pool, FleetSettings settings) {
        this.work = work;
        this.pool = pool;
        this.settings = settings;
        this.thread =
                Thread.ofPlatform().daemon().name("holdfast " + work.name()).unstarted(this::loop);
    }

    /** Begins to try for the lock. Once. */
    public void start() {
        thread.start();
    }

    /** True while this node is the one that runs the work. */
    public boolean running() {
        return running;
    }

    /** What made the work begin again, unless a round has succeeded since, or another node runs it now. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Ends the loop, after the current round if that ends soon, and gives the lock back. */
    @Override
    public void close() {
        stop.countDown();
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
        while (!stopping()) {
            Duration wait = settings.standby();
            try {
                runWhileHeld();
            } catch (Throwable failure) { // whatever it is, the thread must live: there is no other to notice
                if (stopping()) {
                    LOG.info("{}: ended while stopping: {}", work.name(), failure.toString());
                    return;
                }
                wait = settings.backoff()
                        .delayAfter(++failures, ThreadLocalRandom.current().nextDouble());
                LOG.warn("{}: failed, begins again in {} ms", work.name(), wait.toMillis(), failure);
                trouble = failure.toString();
                work.failed(failure);
            }
            pause(wait);
        }
    }

    private void runWhileHeld() throws SQLException {
        Connection connection = pool.getConnection();
        boolean won = false;
        try {
            won = lock(connection);
            if (!won) {
                trouble = null;
                return;
            }
            held = connection;
            prepare(connection);
            LOG.info("{}: runs on this node", work.name());
            work.begin(connection);
            running = true;
            while (!stopping()) {
                Duration wait = work.round(connection);
                failures = 0;
                trouble = null;
                pause(connection, wait);
            }
        } finally {
            running = false;
            held = null;
            if (won) {
                giveUp(connection);
            } else {
                connection.close();
            }
        }
    }

    private boolean lock(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select pg_try_advisory_lock(hashtextextended(?, 0))")) {
            s.setString(1, "holdfast:" + work.name());
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getBoolean(1);
            }
        }
    }

    private void prepare(Connection connection) throws SQLException {
        Map<String, String> parameters = new TreeMap<>(Map.of(
                "application_name",
                "holdfast " + work.name(),
                "statement_timeout",
                millis(settings.statementTimeout()),
                "idle_in_transaction_session_timeout",
                millis(settings.transactionTimeout()),
                "tcp_keepalives_idle",
                "10",
                "tcp_keepalives_interval",
                "5",
                "tcp_keepalives_count",
                "3"));
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version >= FIRST_WITH_SESSION_TIMEOUT) {
            parameters.put("idle_session_timeout", millis(settings.sessionTimeout()));
        }
        if (version >= FIRST_WITH_TRANSACTION_TIMEOUT) {
            parameters.put("transaction_timeout", millis(settings.transactionTimeout()));
        }
        try (PreparedStatement s = connection.prepareStatement("select set_config(?, ?, false)")) {
            for (var parameter : parameters.entrySet()) {
                s.setString(1, parameter.getKey());
                s.setString(2, parameter.getValue());
                s.execute();
            }
        }
        try (Statement s = connection.createStatement()) {
            s.execute("listen " + CHANNEL);
        }
        // The server ends a statement at its time-out; this ends the wait for a server that no longer answers.
        connection.setNetworkTimeout(Runnable::run, (int)
                settings.statementTimeout().plus(NETWORK_MARGIN).toMillis());
    }

    /** The session has settings, a subscription and a lock of its own: it is closed, never handed to somebody else. */
    private void giveUp(Connection connection) {
        try {
            if (!connection.isClosed()) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                try (Statement s = connection.createStatement()) {
                    s.execute("select pg_advisory_unlock_all()"); // at once, while closing may take its time
                }
            }
        } catch (SQLException e) {
            LOG.debug("{}: the session is gone, and its lock with it: {}", work.name(), e.toString());
        }
        pool.evictConnection(connection); // which closes it; to close it as well would be to hand it back
    }

    private void pause(Connection connection, Duration wait) throws SQLException {
        PGConnection session = connection.unwrap(PGConnection.class);
        Duration silence = settings.sessionTimeout().dividedBy(3); // a longer one would look like a frozen node
        long until = System.nanoTime() + (wait.compareTo(silence) < 0 ? wait : silence).toNanos();
        while (!stopping()) {
            long left = Math.min(TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()), STOP_LATENCY.toMillis());
            if (left < 1 || session.getNotifications((int) left).length > 0) {
                return;
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

    private boolean stopping() {
        return stop.getCount() == 0;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
