package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Notices a journal, or offsets, that came from another PostgreSQL cluster by dump and restore. Their transaction ids mean nothing here:
 * rows would wait for ids this cluster has not reached, and new rows would be written behind the offsets and never be read.
 */
final class JournalOrigin {

    private static final String AHEAD = "select"
            + " coalesce((select e.xid >= x from event_journal e order by e.xid desc, e.ordering desc limit 1), false)"
            + " or exists (select 1 from projection_offset o where o.xid >= x)"
            + " from (select pg_snapshot_xmax(pg_current_snapshot()) as x) now";

    private JournalOrigin() {}

    /** @throws IllegalStateException saying what to do */
    static void check(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery(AHEAD)) {
            if (r.next() && r.getBoolean(1)) {
                throw new IllegalStateException(
                        "the journal holds transaction ids this PostgreSQL cluster has not reached, as after restoring"
                            + " a dump into a new cluster. With every node stopped, as owner of the tables: \"update"
                            + " event_journal set xid = '3'\", \"update projection_offset set xid = '0', ordering = 0,"
                            + " rewind_xid = null, rewind_ordering = null, rebuild_requested = true\", and start"
                            + " again: the projections are rebuilt from the journal, and what is delivered to the"
                            + " outside is delivered again");
            }
        }
    }
}
