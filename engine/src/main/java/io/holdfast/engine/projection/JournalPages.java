package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * The journal read page by page, in the order of {@link JournalReader}, by whoever keeps its place itself: take the {@link #end} first,
 * then read up to it. Blocking.
 */
public final class JournalPages {

    private JournalPages() {}

    /**
     * Where the readable journal ends now. What is readable lies before it and stays as it is; whatever becomes readable from now on lies
     * behind it.
     */
    public static Offset end(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery("select pg_snapshot_xmin(pg_current_snapshot())::text")) {
            r.next();
            // No row has the number 0: what is behind (xid, 0) are the rows of this transaction and of all later ones.
            return new Offset(Long.parseLong(r.getString(1)), 0);
        }
    }

    /**
     * The next rows of all entities.
     *
     * @param after exclusive
     * @param upTo an {@link #end}
     */
    public static List<JournalRow> all(Connection connection, Offset after, Offset upTo, int limit)
            throws SQLException {
        return JournalReader.next(connection, List.of(Slices.all()), after, Optional.of(upTo), limit);
    }

    /** The next rows of one entity, likewise. */
    public static List<JournalRow> of(Connection connection, String persistenceId, Offset after, Offset upTo, int limit)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(JournalReader.OF_ENTITY_BETWEEN)) {
            s.setString(1, persistenceId);
            s.setString(2, Long.toString(after.xid()));
            s.setLong(3, after.ordering());
            s.setString(4, Long.toString(upTo.xid()));
            s.setLong(5, upTo.ordering());
            s.setInt(6, limit);
            return JournalReader.rows(s);
        }
    }
}
