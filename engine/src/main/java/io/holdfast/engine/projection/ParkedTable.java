package io.holdfast.engine.projection;

import io.holdfast.engine.effect.Backoff;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Table {@code projection_parked}, as the runner of one share of slices uses it. The database's clock decides when to try again. */
record ParkedTable(String projection, Slices slices, Backoff retry) {

    static final String COLUMNS = "projection, persistence_id, sequence_number, reason, attempts, parked_at, retry_at";

    private static final String MINE = " where projection = ? and slice between ? and ?";
    private static final String ONE = " where projection = ? and persistence_id = ?";

    Set<String> ids(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select persistence_id from projection_parked" + MINE)) {
            mine(s);
            Set<String> ids = new HashSet<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    ids.add(r.getString(1));
                }
            }
            return ids;
        }
    }

    ParkedEntity park(Connection connection, JournalRow row, String reason) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("insert into projection_parked"
                + " (projection, persistence_id, sequence_number, reason, retry_at)"
                + " values (?, ?, ?, ?, now() + ? * interval '1 millisecond') returning " + COLUMNS)) {
            s.setString(1, projection);
            s.setString(2, row.persistenceId());
            s.setLong(3, row.sequenceNumber());
            s.setString(4, reason);
            s.setLong(5, delayMillis(1));
            return read(s).getFirst();
        }
    }

    /** Those whose time has come, longest waiting first. */
    List<ParkedEntity> due(Connection connection, int limit) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select " + COLUMNS + " from projection_parked" + MINE
                + " and retry_at <= now() order by retry_at limit ?")) {
            mine(s);
            s.setInt(4, limit);
            return read(s);
        }
    }

    /** All are tried again now: a new version may know better. */
    void allDue(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update projection_parked set retry_at = now()" + MINE + " and retry_at > now()")) {
            mine(s);
            s.executeUpdate();
        }
    }

    /** Handled up to here, and not yet to the end. */
    void moved(Connection connection, String persistenceId, long nextSequenceNumber) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("update projection_parked set sequence_number = ?" + ONE)) {
            s.setLong(1, nextSequenceNumber);
            s.setString(2, projection);
            s.setString(3, persistenceId);
            s.executeUpdate();
        }
    }

    void failedAgain(Connection connection, ParkedEntity entity, long sequenceNumber, String reason)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_parked"
                + " set sequence_number = ?, reason = ?, attempts = attempts + 1,"
                + " retry_at = now() + ? * interval '1 millisecond'" + ONE)) {
            s.setLong(1, sequenceNumber);
            s.setString(2, reason);
            s.setLong(3, delayMillis(entity.attempts() + 2));
            s.setString(4, projection);
            s.setString(5, entity.persistenceId());
            s.executeUpdate();
        }
    }

    void unpark(Connection connection, String persistenceId) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from projection_parked" + ONE)) {
            s.setString(1, projection);
            s.setString(2, persistenceId);
            s.executeUpdate();
        }
    }

    void clear(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from projection_parked" + MINE)) {
            mine(s);
            s.executeUpdate();
        }
    }

    static List<ParkedEntity> read(PreparedStatement statement) throws SQLException {
        List<ParkedEntity> found = new ArrayList<>();
        try (ResultSet r = statement.executeQuery()) {
            while (r.next()) {
                found.add(new ParkedEntity(
                        r.getString(1),
                        r.getString(2),
                        r.getLong(3),
                        r.getString(4),
                        r.getInt(5),
                        r.getObject(6, OffsetDateTime.class).toInstant(),
                        r.getObject(7, OffsetDateTime.class).toInstant()));
            }
        }
        return found;
    }

    private long delayMillis(int failedAttempts) {
        return retry.delayAfter(failedAttempts, ThreadLocalRandom.current().nextDouble())
                .toMillis();
    }

    private void mine(PreparedStatement s) throws SQLException {
        s.setString(1, projection);
        s.setInt(2, slices.from());
        s.setInt(3, slices.to());
    }
}
