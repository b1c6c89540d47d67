package io.holdfast.engine.sweep;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What is owed in the whole fleet, for metrics and health.
 *
 * @param owed entities that owe an effect or wait for a time, counted up to {@link #COUNTED_AT_MOST}
 * @param due those of them whose time has come
 * @param oldest how long the longest of them has been due, by the database's clock
 */
public record Backlog(long owed, long due, Optional<Duration> oldest) {

    /** Beyond this many, the numbers say "at least". */
    public static final int COUNTED_AT_MOST = 100_000;

    /** Asks the database. Blocking. */
    public static Backlog read(DataSource database) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select count(*), count(*) filter (where wake_at <= now()),"
                        + " extract(epoch from now() - min(wake_at) filter (where wake_at <= now())) * 1000"
                        + " from (select wake_at from owed order by wake_at limit " + COUNTED_AT_MOST + ") first")) {
            try (ResultSet r = s.executeQuery()) {
                r.next();
                double oldest = r.getDouble(3);
                boolean nothingDue = r.wasNull();
                return new Backlog(
                        r.getLong(1),
                        r.getLong(2),
                        nothingDue ? Optional.empty() : Optional.of(Duration.ofMillis(Math.round(oldest))));
            }
        }
    }
}
