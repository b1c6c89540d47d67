package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Table {@code projection_offset}, as the runner of one share of slices uses it. */
record OffsetTable(String projection, Slices slices) {

    private static final String KEY = " where projection = ? and slice_from = ? and slice_to = ?";
    private static final String OBJECT_NOT_IN_PREREQUISITE_STATE = "55000";

    /** The stored offset; a projection that has none begins before the first row. */
    Offset load(Connection connection) throws SQLException {
        refuseOtherDivision(connection);
        try (PreparedStatement s = connection.prepareStatement(
                "insert into projection_offset (projection, slice_from, slice_to, xid, ordering) values (?, ?, ?, '0',"
                        + " 0) on conflict do nothing")) {
            key(s, 1);
            s.executeUpdate();
        }
        try (PreparedStatement s =
                connection.prepareStatement("select xid::text, ordering from projection_offset" + KEY)) {
            key(s, 1);
            try (ResultSet r = s.executeQuery()) {
                if (!r.next()) {
                    throw gone();
                }
                return new Offset(Long.parseLong(r.getString(1)), r.getLong(2));
            }
        }
    }

    /** Moves the offset within the current transaction; fails if it is not where this runner left it. */
    void move(Connection connection, Offset from, Offset to) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_offset"
                + " set xid = cast(? as xid8), ordering = ?, updated_at = now()" + KEY
                + " and xid = cast(? as xid8) and ordering = ?")) {
            s.setString(1, Long.toString(to.xid()));
            s.setLong(2, to.ordering());
            key(s, 3);
            s.setString(6, Long.toString(from.xid()));
            s.setLong(7, from.ordering());
            if (s.executeUpdate() != 1) {
                throw gone();
            }
        }
    }

    /** Sets the offset before the first row and forgets the request to do so. */
    void reset(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_offset"
                + " set xid = '0', ordering = 0, rebuild_requested = false, rebuilds = rebuilds + 1, updated_at = now()"
                + KEY)) {
            key(s, 1);
            if (s.executeUpdate() != 1) {
                throw gone();
            }
        }
    }

    boolean rebuildRequested(Connection connection) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select rebuild_requested from projection_offset" + KEY)) {
            key(s, 1);
            try (ResultSet r = s.executeQuery()) {
                return r.next() && r.getBoolean(1);
            }
        }
    }

    /** Two divisions of the slices at once would handle the same rows twice. */
    private void refuseOtherDivision(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "select slice_from, slice_to from projection_offset where projection = ? and slice_from <= ? and"
                        + " slice_to >= ? and not (slice_from = ? and slice_to = ?)")) {
            s.setString(1, projection);
            s.setInt(2, slices.to());
            s.setInt(3, slices.from());
            s.setInt(4, slices.from());
            s.setInt(5, slices.to());
            try (ResultSet r = s.executeQuery()) {
                if (r.next()) {
                    throw new SQLException(
                            "projection " + projection + " keeps an offset for slices " + r.getInt(1) + "-"
                                    + r.getInt(2)
                                    + ", so it can't run on slices " + slices + ": run it with the division it has,"
                                    + " or delete its offsets and clear its tables",
                            OBJECT_NOT_IN_PREREQUISITE_STATE);
                }
            }
        }
    }

    private void key(PreparedStatement s, int first) throws SQLException {
        s.setString(first, projection);
        s.setInt(first + 1, slices.from());
        s.setInt(first + 2, slices.to());
    }

    private SQLException gone() {
        return new SQLException(
                "the offset of projection " + projection + ", slices " + slices + ", is not where this node left it",
                OBJECT_NOT_IN_PREREQUISITE_STATE);
    }
}
