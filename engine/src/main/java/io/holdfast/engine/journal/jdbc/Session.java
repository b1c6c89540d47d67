package io.holdfast.engine.journal.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * One connection, made when it is needed, with its prepared statements. Every statement is a transaction of its own. Used by one thread;
 * any thread may {@link #abort}.
 */
final class Session {

    /** What is done with a statement. */
    interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    /** The server ends a statement at its time-out; a server that is silent for this much longer is taken for gone. */
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(2);

    /** Time-outs of the network end a read and not a write; a thread that hangs in a write for this much longer is freed by force. */
    private static final Duration FORCE_MARGIN = Duration.ofSeconds(1);

    private static final long IDLE = 0;

    private final JournalSettings settings;
    private final String setUp;
    private final Duration silence;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private volatile @Nullable Connection connection;
    private volatile long busySince = IDLE;

    /** @param extra more settings of the session, each as {@code name=value} */
    Session(JournalSettings settings, String... extra) {
        this.settings = settings;
        this.silence = settings.statementTimeout().plus(NETWORK_MARGIN);
        this.setUp = "set statement_timeout=" + settings.statementTimeout().toMillis()
                // Rows are found by key, and few. Planned once and for all, also while the table is empty and reading
                // it whole looks cheap.
                + "; set plan_cache_mode=force_generic_plan; set enable_seqscan=off; set enable_bitmapscan=off"
                + "; set enable_hashjoin=off; set enable_mergejoin=off"
                + (extra.length == 0 ? "" : "; set " + String.join("; set ", extra));
    }

    /** The connection; made now if there is none. */
    Connection connection() throws SQLException {
        var open = connection;
        return open != null ? open : connect();
    }

    /** Runs a statement on the connection. It stays prepared as long as the connection lives. */
    <T> T run(String sql, Work<T> work) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection().prepareStatement(sql);
            prepared.put(sql, statement);
        }
        busySince = Math.max(1, System.nanoTime());
        try {
            return work.with(statement);
        } finally {
            busySince = IDLE;
        }
    }

    /** An array parameter, which the driver sends in binary if it is an array of the type's own Java type. */
    Array array(String type, Object elements) throws SQLException {
        return connection().unwrap(PGConnection.class).createArrayOf(type, elements);
    }

    /** Lets go of the connection, however it is. */
    void disconnect() {
        prepared.clear();
        abort();
        connection = null;
    }

    /** Breaks the connection, from any thread: whoever waits on it gets an exception now. */
    void abort() {
        var open = connection;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                // Only a driver without this operation throws; the connection is let go of in any case.
                connection = null;
            }
        }
    }

    /** Breaks the connection if its thread hangs in it for longer than the network's own time-out should have let it. */
    void abortIfHanging(long now) {
        long since = busySince;
        if (since != IDLE && now - since > silence.plus(FORCE_MARGIN).toNanos()) {
            abort();
        }
    }

    private Connection connect() throws SQLException {
        Connection fresh = DriverManager.getConnection(settings.url(), settings.login());
        try {
            fresh.setAutoCommit(true);
            fresh.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
            try (var statement = fresh.createStatement()) {
                statement.execute(setUp);
            }
        } catch (SQLException e) {
            fresh.abort(Runnable::run);
            throw e;
        }
        connection = fresh;
        return fresh;
    }
}
