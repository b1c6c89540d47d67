package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What a session is told before it works: limits for all it does, so that a node that freezes holds nobody up for long. */
final class FleetSession {

    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

    private FleetSession() {}

    static void prepare(Connection connection, String name, FleetSettings settings) throws SQLException {
        Map<String, String> parameters = new TreeMap<>(Map.of(
                "application_name",
                name,
                "statement_timeout",
                millis(settings.statementTimeout()),
                "transaction_timeout",
                millis(settings.transactionTimeout()),
                "idle_in_transaction_session_timeout",
                millis(settings.transactionTimeout()),
                "idle_session_timeout",
                millis(settings.sessionTimeout()),
                "tcp_keepalives_idle",
                "10",
                "tcp_keepalives_interval",
                "5",
                "tcp_keepalives_count",
                "3"));
        try (PreparedStatement s = connection.prepareStatement("select set_config(?, ?, false)")) {
            for (var parameter : parameters.entrySet()) {
                s.setString(1, parameter.getKey());
                s.setString(2, parameter.getValue());
                s.execute();
            }
        }
        // The server ends a statement at its time-out; this ends the wait for a server that no longer answers.
        connection.setNetworkTimeout(Runnable::run, (int)
                settings.statementTimeout().plus(NETWORK_MARGIN).toMillis());
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
