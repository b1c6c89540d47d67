package io.holdfast.reservation.ledger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * How well the books agree with the reservations, and with themselves.
 *
 * @param reservations about how many there are
 * @param dead those of which the ledger lacks something for good
 * @param oldestDead how long ago the first of them last changed
 * @param anomalies by type; those of the ledger are there even if there are none
 */
public record LedgerFigures(long reservations, long dead, Optional<Duration> oldestDead, Map<String, Long> anomalies) {

    private static final String DEAD = """
        select (select greatest(0, reltuples)::bigint from pg_class where oid = 'reservation_view'::regclass), count(*),
               extract(epoch from clock_timestamp() - min(updated_at)) * 1000
        from reservation_view where sync_status = 'DEAD'
        """;

    private static final String ANOMALIES =
            "select type, count(*) from anomaly where gone_at is null and class is distinct from 'WAIT' group by type";

    /** Reads them. */
    public static LedgerFigures read(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            Map<String, Long> anomalies = new TreeMap<>();
            Contradictions.TYPES.forEach(type -> anomalies.put(type, 0L));
            try (ResultSet r = s.executeQuery(ANOMALIES)) {
                while (r.next()) {
                    anomalies.put(r.getString(1), r.getLong(2));
                }
            }
            try (ResultSet r = s.executeQuery(DEAD)) {
                r.next();
                return new LedgerFigures(r.getLong(1), r.getLong(2), millis(r, 3), anomalies);
            }
        }
    }

    /** Share of reservations of which the ledger lacks nothing, from 0 to 1. */
    public double syncedRatio() {
        long all = Math.max(reservations, dead);
        return all == 0 ? 1 : (all - dead) / (double) all;
    }

    private static Optional<Duration> millis(ResultSet r, int column) throws SQLException {
        double value = r.getDouble(column);
        return r.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, Math.round(value))));
    }
}
