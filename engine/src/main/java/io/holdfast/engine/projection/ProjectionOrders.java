package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.Bell;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What people order of projections. Every order is written into the database with who and why, holds for the whole fleet, also for nodes that
 * start later, and needs no node to run while it is given. Blocking.
 */
public final class ProjectionOrders {

    /**
     * A projection that is set back to a time is set back this much further: the times of events are those of the writers' clocks, and
     * transactions are read in the order in which they began.
     */
    public static final Duration MARGIN = Duration.ofMinutes(1);

    private final DataSource database;

    public ProjectionOrders(DataSource database) {
        this.database = database;
    }

    /** Nothing more is handled until somebody resumes it; the batch under way is finished. */
    public Ordered pause(String projection, OrderedBy by) throws SQLException {
        return order(projection, "pause", "", by, (c, known) -> setPaused(c, projection, true, "is paused"));
    }

    /** Goes on where it was. */
    public Ordered resume(String projection, OrderedBy by) throws SQLException {
        return order(projection, "resume", "", by, (c, known) -> setPaused(c, projection, false, "goes on"));
    }

    private static Ordered setPaused(Connection c, String projection, boolean paused, String now) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(
                "update projection set paused = ?, changed_at = now() where name = ? and paused <> ?")) {
            s.setBoolean(1, paused);
            s.setString(2, projection);
            s.setBoolean(3, paused);
            return s.executeUpdate() == 1
                    ? new Ordered.Accepted(projection + " " + now)
                    : new Ordered.Refused(projection + " " + now + " already");
        }
    }

    /**
     * Has the projection forget everything and read the journal from the beginning. Its tables are incomplete meanwhile; {@link
     * ProjectionProgress} says when they are whole again. One that delivers to the outside delivers everything again.
     */
    public Ordered rebuild(String projection, OrderedBy by) throws SQLException {
        return order(projection, "rebuild", "", by, (c, known) -> {
            try (PreparedStatement s = c.prepareStatement("update projection_offset set rebuild_requested = true,"
                    + " rewind_xid = null, rewind_ordering = null where projection = ?")) {
                s.setString(1, projection);
                s.executeUpdate();
                return new Ordered.Accepted(projection + " is rebuilt from the beginning of the journal");
            }
        });
    }

    /**
     * Has every event again whose transaction is at or behind this position. Shares that have not come so far yet stay where they are.
     */
    public Ordered rewind(String projection, JournalPosition to, OrderedBy by) throws SQLException {
        return order(projection, "rewind", "to " + to.xid(), by, (c, known) -> setBack(c, projection, known, to));
    }

    /** Has every event again that was written at or after this moment, and some of {@link #MARGIN} before it. */
    public Ordered rewind(String projection, Instant to, OrderedBy by) throws SQLException {
        return order(
                projection,
                "rewind",
                "to " + to,
                by,
                (c, known) -> setBack(c, projection, known, firstWrittenAfter(c, to.minus(MARGIN))));
    }

    private static Ordered setBack(Connection c, String projection, boolean takesAgain, JournalPosition to)
            throws SQLException {
        if (!takesAgain) {
            return new Ordered.Refused(
                    projection + " does not take events again that it has handled: it can only be rebuilt");
        }
        try (PreparedStatement s = c.prepareStatement("update projection_offset set rewind_xid = cast(? as xid8),"
                + " rewind_ordering = 0 where projection = ? and (xid, ordering) > (cast(? as xid8), 0) and not"
                + " rebuild_requested")) {
            s.setString(1, Long.toString(to.xid()));
            s.setString(2, projection);
            s.setString(3, Long.toString(to.xid()));
            int shares = s.executeUpdate();
            return shares == 0
                    ? new Ordered.Refused(projection + " has not come as far as " + to.xid())
                    : new Ordered.Accepted(projection + " goes back to " + to.xid() + " in " + shares + " of its "
                            + Slices.SHARES + " shares");
        }
    }

    /** By halving: transaction ids rise with time, give or take the length of a transaction. */
    private static JournalPosition firstWrittenAfter(Connection c, Instant moment) throws SQLException {
        long low = 0;
        long high;
        try (Statement s = c.createStatement();
                ResultSet r = s.executeQuery("select pg_snapshot_xmax(pg_current_snapshot())::text")) {
            r.next();
            high = Long.parseLong(r.getString(1));
        }
        try (PreparedStatement s = c.prepareStatement("select xid::text, write_timestamp from event_journal"
                + " where xid >= cast(? as xid8) order by event_journal.xid, ordering limit 1")) {
            while (low < high) {
                long middle = low + (high - low) / 2;
                s.setString(1, Long.toString(middle));
                try (ResultSet r = s.executeQuery()) {
                    if (r.next() && r.getLong(2) < moment.toEpochMilli()) {
                        low = Long.parseLong(r.getString(1)) + 1;
                    } else {
                        high = middle;
                    }
                }
            }
        }
        return new JournalPosition(low);
    }

    /**
     * Allows the projection to go on without one event, which its entity is parked at. It is tried once more; if it still can't be handled it
     * is left out, and the entity's later events are handled. What the projection shows of the entity is wrong from then on.
     */
    public Ordered skip(String projection, String persistenceId, long sequenceNumber, OrderedBy by)
            throws SQLException {
        if (by.why().isBlank()) {
            return new Ordered.Refused("leaving an event out needs a reason");
        }
        String event = persistenceId + "#" + sequenceNumber;
        return order(projection, "skip", event, by, (c, known) -> {
            Optional<Long> parkedAt = parkedAt(c, projection, persistenceId);
            if (parkedAt.isEmpty() || parkedAt.get() != sequenceNumber) {
                return new Ordered.Refused(persistenceId
                        + parkedAt.map(n -> " is parked at event " + n).orElse(" is not parked")
                        + ": only the event an entity is parked at can be left out");
            }
            try (PreparedStatement s = c.prepareStatement("insert into projection_skipped (projection, persistence_id,"
                    + " sequence_number, reason, skipped_by) values (?, ?, ?, ?, ?) on conflict (projection,"
                    + " persistence_id, sequence_number) do update set reason = excluded.reason, skipped_by ="
                    + " excluded.skipped_by, skipped_at = now()")) {
                s.setString(1, projection);
                s.setString(2, persistenceId);
                s.setLong(3, sequenceNumber);
                s.setString(4, by.why());
                s.setString(5, by.who());
                s.executeUpdate();
            }
            retryNow(c, projection, persistenceId);
            return new Ordered.Accepted(projection + " may leave " + event + " out");
        });
    }

    /** Has a parked entity tried again now. */
    public Ordered retry(String projection, String persistenceId, OrderedBy by) throws SQLException {
        return order(
                projection,
                "retry",
                persistenceId,
                by,
                (c, known) -> retryNow(c, projection, persistenceId)
                        ? new Ordered.Accepted(projection + " tries " + persistenceId + " again")
                        : new Ordered.Refused(persistenceId + " is not parked"));
    }

    private static Optional<Long> parkedAt(Connection c, String projection, String persistenceId) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("select sequence_number from projection_parked"
                + " where projection = ? and persistence_id = ? for update")) {
            s.setString(1, projection);
            s.setString(2, persistenceId);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(r.getLong(1)) : Optional.empty();
            }
        }
    }

    private static boolean retryNow(Connection c, String projection, String persistenceId) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(
                "update projection_parked set retry_at = now() where projection = ? and persistence_id = ?")) {
            s.setString(1, projection);
            s.setString(2, persistenceId);
            return s.executeUpdate() == 1;
        }
    }

    @FunctionalInterface
    private interface Change {
        Ordered make(Connection connection, boolean takesAgain) throws SQLException;
    }

    private Ordered order(String projection, String action, String detail, OrderedBy by, Change change)
            throws SQLException {
        try (Connection c = database.getConnection()) {
            Ordered[] answer = {new Ordered.Refused("there is no projection named " + projection)};
            Transactions.commit(c, () -> {
                Optional<Boolean> takesAgain = takesAgain(c, projection);
                if (takesAgain.isPresent()) {
                    answer[0] = change.make(c, takesAgain.get());
                }
                if (answer[0] instanceof Ordered.Accepted) {
                    writeDown(c, projection, action, detail, by);
                }
            });
            return answer[0];
        }
    }

    private static Optional<Boolean> takesAgain(Connection c, String projection) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("select takes_again from projection where name = ?")) {
            s.setString(1, projection);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(r.getBoolean(1)) : Optional.empty();
            }
        }
    }

    private static void writeDown(Connection c, String projection, String action, String detail, OrderedBy by)
            throws SQLException {
        try (PreparedStatement s = c.prepareStatement("insert into projection_order"
                + " (projection, action, detail, ordered_by, reason) values (?, ?, ?, ?, ?)")) {
            s.setString(1, projection);
            s.setString(2, action);
            s.setString(3, detail);
            s.setString(4, by.who());
            s.setString(5, by.why());
            s.executeUpdate();
        }
        try (Statement s = c.createStatement()) {
            s.execute("notify " + Bell.CHANNEL);
        }
    }
}
