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

/**
 * Tables {@code projection_parked} and {@code projection_skipped} as one worker uses them. The database's clock decides when to try again.
 */
record ParkedTable(String projection, Backoff retry) {

    static final String COLUMNS = "projection, persistence_id, sequence_number, reason, attempts, parked_at, retry_at";

    private static final String OF_SLICES = " where projection = ? and slice between ? and ?";
    private static final String ONE = " where projection = ? and persistence_id = ?";

    Set<String> ids(Connection connection, List<Slices> slices) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (Slices range : slices) {
            try (PreparedStatement s =
                    connection.prepareStatement("select persistence_id from projection_parked" + OF_SLICES)) {
                bind(s, range);
                try (ResultSet r = s.executeQuery()) {
                    while (r.next()) {
                        ids.add(r.getString(1));
                    }
                }
            }
        }
        return ids;
    }

    /** Sets an entity aside; one whose event may be left out is due at once. */
    ParkedEntity park(Connection connection, JournalRow row, String reason) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("insert into projection_parked"
                + " (projection, persistence_id, sequence_number, reason, retry_at)"
                + " values (?, ?, ?, ?, now() + ? * interval '1 millisecond') returning " + COLUMNS)) {
            s.setString(1, projection);
            s.setString(2, row.persistenceId());
            s.setLong(3, row.sequenceNumber());
            s.setString(4, reason);
            s.setLong(5, maySkip(connection, row) ? 0 : delayMillis(1));
            return read(s).getFirst();
        }
    }

    /** Those whose time has come, longest waiting first. */
    List<ParkedEntity> due(Connection connection, Slices slices, int limit) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select " + COLUMNS + " from projection_parked"
                + OF_SLICES + " and retry_at <= now() order by retry_at limit ?")) {
            bind(s, slices);
            s.setInt(4, limit);
            return read(s);
        }
    }

    /** All are tried again now: a new version may know better. */
    void allDue(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update projection_parked set retry_at = now()" + OF_SLICES + " and retry_at > now()")) {
            bind(s, slices);
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

    /** For a rebuild: nobody is parked, and no permission to leave an event out has been used. */
    void clear(Connection connection, Slices slices) throws SQLException {
        for (String sql : List.of(
                "delete from projection_parked" + OF_SLICES,
                "update projection_skipped set left_out_at = null" + OF_SLICES + " and left_out_at is not null")) {
            try (PreparedStatement s = connection.prepareStatement(sql)) {
                bind(s, slices);
                s.executeUpdate();
            }
        }
    }

    /** For a projection that is set back to this offset: what comes again, comes again of the parked as well. */
    void setBack(Connection connection, Slices slices, Offset to) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_parked p set sequence_number ="
                + " least(p.sequence_number, (select min(j.sequence_number) from event_journal j where"
                + " j.persistence_id = p.persistence_id and (j.xid, j.ordering) > (cast(? as xid8), ?)))"
                + OF_SLICES)) {
            s.setString(1, Long.toString(to.xid()));
            s.setLong(2, to.ordering());
            s.setString(3, projection);
            s.setInt(4, slices.from());
            s.setInt(5, slices.to());
            s.executeUpdate();
        }
    }

    /** Whether a person has allowed the event to be left out, if it can't be handled. */
    boolean maySkip(Connection connection, JournalRow row) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select from projection_skipped" + ONE + " and sequence_number = ?")) {
            bind(s, row);
            try (ResultSet r = s.executeQuery()) {
                return r.next();
            }
        }
    }

    /** The permission was used. */
    void leftOut(Connection connection, JournalRow row) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update projection_skipped set left_out_at = now()" + ONE + " and sequence_number = ?")) {
            bind(s, row);
            s.executeUpdate();
        }
    }

    static List<ParkedEntity> read(PreparedStatement statement) throws SQLException {
        List<ParkedEntity> found = new ArrayList<>();
        try (ResultSet r = statement.executeQuery()) {
            while (r.next()) {
                found.add(row(r));
            }
        }
        return found;
    }

    /** The row a result stands at, which begins with {@link #COLUMNS}. */
    static ParkedEntity row(ResultSet r) throws SQLException {
        return new ParkedEntity(
                r.getString(1),
                r.getString(2),
                r.getLong(3),
                r.getString(4),
                r.getInt(5),
                r.getObject(6, OffsetDateTime.class).toInstant(),
                r.getObject(7, OffsetDateTime.class).toInstant());
    }

    private long delayMillis(int failedAttempts) {
        return retry.delayAfter(failedAttempts, ThreadLocalRandom.current().nextDouble())
                .toMillis();
    }

    private void bind(PreparedStatement s, Slices slices) throws SQLException {
        s.setString(1, projection);
        s.setInt(2, slices.from());
        s.setInt(3, slices.to());
    }

    private void bind(PreparedStatement s, JournalRow row) throws SQLException {
        s.setString(1, projection);
        s.setString(2, row.persistenceId());
        s.setLong(3, row.sequenceNumber());
    }
}
