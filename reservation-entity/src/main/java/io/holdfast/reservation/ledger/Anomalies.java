package io.holdfast.reservation.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes down what contradicts itself. */
public final class Anomalies {

    private static final String INSERT = """
        insert into anomaly (id, source, type, pool, reservation_id, summary, evidence, at)
        select u.id, u.source, u.type, u.pool, u.reservation_id, u.summary, u.evidence::jsonb,
            timestamptz 'epoch' + u.at * interval '1 microsecond'
        from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
            u (id, source, type, pool, reservation_id, summary, evidence, at)
        on conflict (id) do nothing
        """;

    private Anomalies() {}

    /**
     * Adds what is not there yet.
     *
     * @param connection in whose transaction
     */
    public static void add(Connection connection, List<Anomaly> anomalies) throws SQLException {
        if (anomalies.isEmpty()) {
            return;
        }
        try (PreparedStatement s = connection.prepareStatement(INSERT)) {
            var columns = new SqlColumns<>(connection, s, anomalies);
            columns.text(Anomaly::id);
            columns.text(Anomaly::source);
            columns.text(Anomaly::type);
            columns.optionalText(Anomaly::pool);
            columns.optionalText(Anomaly::reservationId);
            columns.text(Anomaly::summary);
            columns.text(Anomaly::evidence);
            columns.time(Anomaly::at);
            s.executeUpdate();
        }
    }
}
