package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.PoolId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pools of days, as {@code pool_view} shows them. What it shows lags the journal a little, so it only says whom to ask. */
final class DayTable {

    private DayTable() {}

    /**
     * A pool of a day.
     *
     * @param takesHolds whether it is open or paused, else it is closed
     */
    record DayPool(PoolId pool, LocalDate day, boolean takesHolds) {}

    /** Which of these were created, or are being. */
    static Set<PoolId> known(Connection connection, Collection<PoolId> pools) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select pool from pool_view where pool = any (?) and status <> 'NEW'")) {
            s.setArray(
                    1,
                    connection.createArrayOf(
                            "text", pools.stream().map(PoolId::value).toArray()));
            Set<PoolId> known = new HashSet<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    known.add(PoolId.parse(r.getString(1)));
                }
            }
            return known;
        }
    }

    /**
     * Pools that have not ended, oldest day first, after this one.
     *
     * @param until the last day
     * @param after the last one seen; null to begin
     */
    static List<DayPool> notEnded(Connection connection, LocalDate until, @Nullable DayPool after, int limit)
            throws SQLException {
        String from = after == null ? "" : " and (day, pool) > (?, ?)";
        try (PreparedStatement s = connection.prepareStatement("select pool, day, status <> 'CLOSED' from pool_view"
                + " where day <= ? and status <> 'ARCHIVED' and status in ('OPEN', 'PAUSED', 'CLOSED') and not suspect"
                + from + " order by day, pool limit ?")) {
            int i = 0;
            s.setObject(++i, until);
            if (after != null) {
                s.setObject(++i, after.day());
                s.setString(++i, after.pool().value());
            }
            s.setInt(++i, limit);
            List<DayPool> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(new DayPool(
                            PoolId.parse(r.getString(1)), r.getObject(2, LocalDate.class), r.getBoolean(3)));
                }
            }
            return found;
        }
    }

    /** Whether a reservation of this pool is shown that holds or owes something, or that a person must look at. */
    static boolean hasOpenReservations(Connection connection, PoolId pool) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            select exists (select from reservation_view where pool = ? and status in
                ('PREPARING', 'RESERVED', 'CREATED_RESERVED', 'CONFIRMING', 'CANCELING', 'MANUAL_REVIEW'))
            """)) {
            s.setString(1, pool.value());
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getBoolean(1);
            }
        }
    }
}
