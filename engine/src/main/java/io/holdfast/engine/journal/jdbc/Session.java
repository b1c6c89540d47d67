package io.holdfast.engine.journal.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection, made when it is needed, with its prepared statements. Every statement is a transaction of its own. Used by one thread;
 * any thread may {@link #abort}.
 */
final class Session {

    /** The server ends a statement at its time-out; a server that is silent for this much longer is taken for gone. */
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(2);

    private final JournalSettings settings;
    private final String extra;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private volatile @Nullable Connection connection;

    /** @param extra further settings of the session, as {@code name=value}, separated by commas; may be empty */
    Session(JournalSettings settings, String extra) {
        this.settings = settings;
        this.extra = extra;
    }

    /** The connection; made now if there is none. */
    Connection connection() throws SQLException {
        var open = connection;
        if (open == null) {
            open = DriverManager.getConnection(settings.url(), settings.login());
            connection = open;
            prepare(open);
        }
        return open;
    }

    /** A statement on the connection. Closed with it. */
    PreparedStatement statement(String sql) throws SQLException {
        Connection open = connection();
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = open.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** An array parameter, which the driver sends in binary if it is an array of the type's own Java type. */
    java.sql.Array array(String type, Object elements) throws SQLException {
        return connection().unwrap(org.postgresql.PGConnection.class).createArrayOf(type, elements);
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
                // It is given up in any case, and has said why when it failed.
                connection = null;
            }
        }
    }

    /**
     * All statements here find rows by key, and few; they are planned once and for all, also while the table is still empty and reading
     * it whole would look cheap.
     */
    private void prepare(Connection open) throws SQLException {
        open.setAutoCommit(true);
        open.setNetworkTimeout(Runnable::run, (int)
                settings.statementTimeout().plus(NETWORK_MARGIN).toMillis());
        var values = new StringBuilder(
                "set statement_timeout=" + settings.statementTimeout().toMillis()
                        + ";set plan_cache_mode=force_generic_plan;set enable_seqscan=off;set enable_bitmapscan=off"
                        + ";set enable_hashjoin=off;set enable_mergejoin=off");
        for (String value : extra.split(",", -1)) {
            if (!value.isEmpty()) {
                values.append(";set ").append(value);
            }
        }
        try (var statement = open.createStatement()) {
            statement.execute(values.toString());
        }
    }
}
