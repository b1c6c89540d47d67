package io.holdfast.engine.projection;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What people want of a projection, as the tables have it.
 *
 * @param paused nothing is handled
 * @param rebuild shares to be begun anew
 * @param setBack shares to be set back to a position
 */
record StandingOrders(boolean paused, SortedSet<Integer> rebuild, SortedSet<Integer> setBack) {

    private static final String READ = """
        select p.paused,
               array(select o.slice_from from projection_offset o where o.projection = p.name and o.rebuild_requested),
               array(select o.slice_from from projection_offset o where o.projection = p.name and o.rewind_xid is not null)
        from projection p where p.name = ?
        """;

    static StandingOrders read(Connection connection, String projection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(READ)) {
            s.setString(1, projection);
            try (ResultSet r = s.executeQuery()) {
                return r.next()
                        ? new StandingOrders(r.getBoolean(1), shares(r.getArray(2)), shares(r.getArray(3)))
                        : new StandingOrders(false, new TreeSet<>(), new TreeSet<>());
            }
        }
    }

    private static SortedSet<Integer> shares(Array slices) throws SQLException {
        SortedSet<Integer> shares = new TreeSet<>();
        for (Integer from : (Integer[]) slices.getArray()) {
            shares.add(from * Slices.SHARES / Slices.COUNT);
        }
        return shares;
    }
}
