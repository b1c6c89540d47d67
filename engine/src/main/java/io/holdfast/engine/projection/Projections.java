package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What any node, or a person's command, can ask about projections, whichever nodes run them. Blocking. */
public final class Projections {

    /** Lag is counted up to this many events: beyond, the number is an estimate. */
    public static final int COUNTED_AT_MOST = 10_000;

    private static final String LAG = """
        with offsets as (
            select o.slice_from, o.xid, o.ordering from projection_offset o where o.projection = ?
            union all
            select 16 * share, '0', 0 from generate_series(0, 7) share
            where not exists (select from projection_offset where projection = ?)),
        seen as (
            select j.xid, j.ordering, j.slice from event_journal j
            where (j.xid, j.ordering) > (select o.xid, o.ordering from offsets o order by o.xid, o.ordering limit 1)
            order by j.xid, j.ordering limit ?),
        behind as materialized (
            select s.xid, s.ordering from seen s join offsets o
            on o.slice_from = s.slice / 16 * 16 and (s.xid, s.ordering) > (o.xid, o.ordering))
        select (select count(*) from seen),
               (select count(*) from behind),
               (select sum(greatest(0, last.ordering - o.ordering)) / 8 from offsets o,
                (select j.ordering from event_journal j order by j.xid desc, j.ordering desc limit 1) last),
               (select extract(epoch from clock_timestamp()) * 1000 - j.write_timestamp
                from (select b.xid, b.ordering from behind b order by b.xid, b.ordering limit 1) first
                join event_journal j on j.xid = first.xid and j.ordering = first.ordering)
        """;

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

    /** Every projection a node has ever run, by name. */
    public List<ProjectionState> list() throws SQLException {
        List<ProjectionState> states = new ArrayList<>();
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    select p.name, p.delivery = 'EXACTLY_ONCE', p.takes_again,
                           case when p.paused then coalesce(a.ordered_by, 'unknown') end,
                           coalesce(a.reason, ''),
                           case when o.rebuild then 'rebuild' when o.rewind then 'rewind' else '' end,
                           coalesce(o.reached, '0'),
                           (select count(*) from projection_parked k where k.projection = p.name),
                           (select count(*) from projection_skipped k
                            where k.projection = p.name and k.left_out_at is not null),
                           coalesce(o.rebuilds, 0), o.moved_at
                    from projection p
                    left join lateral (
                        select bool_or(rebuild_requested) as rebuild, bool_or(rewind_xid is not null) as rewind,
                               min(xid)::text as reached, sum(rebuilds) as rebuilds, max(updated_at) as moved_at
                        from projection_offset where projection = p.name) o on true
                    left join lateral (
                        select ordered_by, reason from projection_order
                        where projection = p.name and action = 'pause' order by id desc limit 1) a on true
                    order by p.name
                    """)) {
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    String pausedBy = r.getString(4);
                    OffsetDateTime movedAt = r.getObject(11, OffsetDateTime.class);
                    states.add(new ProjectionState(
                            r.getString(1),
                            r.getBoolean(2),
                            r.getBoolean(3),
                            pausedBy == null ? Optional.empty() : Optional.of(new OrderedBy(pausedBy, r.getString(5))),
                            r.getString(6),
                            new JournalPosition(Long.parseLong(r.getString(7))),
                            new Lag(0, Optional.empty(), Optional.empty()),
                            r.getLong(8),
                            r.getLong(9),
                            r.getLong(10),
                            Optional.ofNullable(movedAt).map(OffsetDateTime::toInstant)));
                }
            }
            Optional<Duration> openWriter = openWriter(c);
            for (int i = 0; i < states.size(); i++) {
                states.set(i, states.get(i).withLag(lag(c, states.get(i).name(), openWriter)));
            }
        }
        return states;
    }

    /** How far the projection is behind. A projection that never ran is behind by the whole journal. */
    public Lag lag(String projection) throws SQLException {
        try (Connection c = database.getConnection()) {
            return lag(c, projection, openWriter(c));
        }
    }

    private static Lag lag(Connection c, String projection, Optional<Duration> openWriter) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(LAG)) {
            s.setString(1, projection);
            s.setString(2, projection);
            s.setInt(3, COUNTED_AT_MOST);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                boolean all = r.getLong(1) < COUNTED_AT_MOST;
                return new Lag(all ? r.getLong(2) : Math.max(r.getLong(2), r.getLong(3)), millis(r, 4), openWriter);
            }
        }
    }

    /**
     * Age of the oldest transaction that is writing anywhere in the PostgreSQL cluster: nothing that was journaled since it began can be
     * read. Other roles' transactions count only if this user may see them ({@code pg_read_all_stats}).
     */
    public Optional<Duration> openWriter() throws SQLException {
        try (Connection c = database.getConnection()) {
            return openWriter(c);
        }
    }

    private static Optional<Duration> openWriter(Connection c) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("select extract(epoch from clock_timestamp() - min(xact_start))"
                        + " * 1000 from pg_stat_activity where backend_xid is not null");
                ResultSet r = s.executeQuery()) {
            r.next();
            return millis(r, 1);
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

    /** How many entities the projection has set aside. */
    public long parkedCount(String projection) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s =
                        c.prepareStatement("select count(*) from projection_parked where projection = ?")) {
            s.setString(1, projection);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getLong(1);
            }
        }
    }

    /** Whether somebody has paused the projection. */
    public boolean paused(String projection) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select from projection where name = ? and paused")) {
            s.setString(1, projection);
            try (ResultSet r = s.executeQuery()) {
                return r.next();
            }
        }
    }

    /** Events that the projection may leave out, latest first, at most {@code limit}. */
    public List<SkippedEvent> skipped(String projection, int limit) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select persistence_id, sequence_number, skipped_by, reason,"
                        + " skipped_at, left_out_at from projection_skipped where projection = ? order by skipped_at"
                        + " desc limit ?")) {
            s.setString(1, projection);
            s.setInt(2, limit);
            List<SkippedEvent> skipped = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    skipped.add(new SkippedEvent(
                            projection,
                            r.getString(1),
                            r.getLong(2),
                            new OrderedBy(r.getString(3), r.getString(4)),
                            r.getObject(5, OffsetDateTime.class).toInstant(),
                            Optional.ofNullable(r.getObject(6, OffsetDateTime.class))
                                    .map(OffsetDateTime::toInstant)));
                }
            }
            return skipped;
        }
    }

    private static Optional<Duration> millis(ResultSet r, int column) throws SQLException {
        double value = r.getDouble(column);
        return r.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, Math.round(value))));
    }
}
