package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.OneInFleet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What any node can ask about projections and order of them, whichever node runs them. Blocking; the runner acts on an order within a
 * second or so.
 */
public final class Projections {

    /** Lag is counted up to this many events: beyond, the number says "at least". */
    public static final int COUNTED_AT_MOST = 10_000;

    private final DataSource database;

    public Projections(DataSource database) {
        this.database = database;
    }

    /**
     * Refuses a database, or driver settings, on which projections could lose events. For the start of a node.
     *
     * @throws IllegalStateException saying what is wrong and what to do
     */
    public void requireSafe() throws SQLException {
        try (Connection c = database.getConnection()) {
            HiddenFailure.refuse(c);
            JournalOrigin.check(c);
        }
    }

    /** How far the projection is behind. A projection that never ran is behind by the whole journal. */
    public Lag lag(String projection) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    with behind as (
                        select e.write_timestamp
                        from (select slice_from, slice_to, xid, ordering from projection_offset where projection = ?
                              union all
                              select 0, 127, '0', 0
                              where not exists (select from projection_offset where projection = ?)) o
                        cross join lateral (
                            select j.write_timestamp from event_journal j
                            where (j.xid, j.ordering) > (o.xid, o.ordering) and j.slice between o.slice_from and o.slice_to
                            order by j.xid, j.ordering limit ?) e
                        limit ?)
                    select count(*), extract(epoch from now()) * 1000 - min(write_timestamp),
                           (select extract(epoch from clock_timestamp() - min(xact_start)) * 1000
                            from pg_stat_activity where backend_xid is not null)
                    from behind
                    """)) {
            s.setString(1, projection);
            s.setString(2, projection);
            s.setInt(3, COUNTED_AT_MOST);
            s.setInt(4, COUNTED_AT_MOST);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return new Lag(r.getLong(1), millis(r, 2), millis(r, 3));
            }
        }
    }

    /** Entities the projection has set aside, longest first, at most {@code limit}. */
    public List<ParkedEntity> parked(String projection, int limit) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select " + ParkedTable.COLUMNS
                        + " from projection_parked where projection = ? order by parked_at limit ?")) {
            s.setString(1, projection);
            s.setInt(2, limit);
            return ParkedTable.read(s);
        }
    }

    /** Has a parked entity tried again now. False if it is not parked. */
    public boolean retryParked(String projection, String persistenceId) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("update projection_parked set retry_at = now()"
                        + " where projection = ? and persistence_id = ?")) {
            s.setString(1, projection);
            s.setString(2, persistenceId);
            boolean found = s.executeUpdate() > 0;
            wake(c);
            return found;
        }
    }

    /**
     * Has the projection forget everything and read the journal from the beginning. Its tables are incomplete meanwhile; {@link
     * ProjectionProgress} says when they are whole again. False if it never ran.
     */
    public boolean requestRebuild(String projection) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(
                        "update projection_offset set rebuild_requested = true where projection = ?")) {
            s.setString(1, projection);
            boolean found = s.executeUpdate() > 0;
            wake(c);
            return found;
        }
    }

    private static void wake(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("notify " + OneInFleet.CHANNEL);
        }
    }

    private static Optional<Duration> millis(ResultSet r, int column) throws SQLException {
        double value = r.getDouble(column);
        return r.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, Math.round(value))));
    }
}
