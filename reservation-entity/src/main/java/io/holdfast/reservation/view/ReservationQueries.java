package io.holdfast.reservation.view;

import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.view.ReservationListing.Listed;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads {@code reservation_view}. Blocking: call it on a thread that may wait. What it shows lags the journal a little. */
public final class ReservationQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = 500;

    private static final String COLUMNS =
            "state, created_at, updated_at, sequence_number, synced_epoch, synced_version, sync_status";

    private final DataSource database;
    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);

    /** @param database the read side's own pool */
    public ReservationQueries(DataSource database) {
        this.database = database;
    }

    /**
     * Lists reservations, newest first.
     *
     * @param cursor {@link ReservationListing#next} of the page before; empty for the first page
     * @param limit 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException if the cursor is not one of ours, or the limit is out of range
     */
    public ReservationListing list(ReservationFilter filter, Optional<String> cursor, int limit) throws SQLException {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("limit must be 1 to " + LONGEST_PAGE + ", but is " + limit);
        }
        Optional<Cursor> after = cursor.map(Cursor::decoded);
        StringBuilder sql = new StringBuilder("select " + COLUMNS + " from reservation_view where true");
        List<Object> values = new ArrayList<>();
        filter.orderId().ifPresent(id -> and(sql, " and order_id = ?", values, id));
        filter.userId().ifPresent(id -> and(sql, " and user_id = ?", values, id));
        filter.pool().ifPresent(pool -> and(sql, " and pool = ?", values, pool.value()));
        filter.status().ifPresent(status -> and(sql, " and status = ?", values, status.name()));
        filter.merchants().ifPresent(ids -> and(sql, " and merchant = any(?)", values, ids.toArray(String[]::new)));
        after.ifPresent(c -> {
            and(
                    sql,
                    " and (created_at, reservation_id) < (?,",
                    values,
                    OffsetDateTime.ofInstant(c.createdAt(), ZoneOffset.UTC));
            and(sql, " ?)", values, c.reservationId());
        });
        sql.append(" order by created_at desc, reservation_id desc limit ?");
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql.toString())) {
            int i = 0;
            for (Object value : values) {
                s.setObject(++i, value);
            }
            s.setInt(++i, limit + 1);
            List<Listed> found = read(s);
            if (found.size() <= limit) {
                return new ReservationListing(found, Optional.empty());
            }
            List<Listed> page = found.subList(0, limit);
            Listed last = page.getLast();
            return new ReservationListing(
                    page, Optional.of(new Cursor(last.createdAt(), last.state().id()).encoded()));
        }
    }

    private static void and(StringBuilder sql, String condition, List<Object> values, Object value) {
        sql.append(condition);
        values.add(value);
    }

    /** The reservations of a pool in the order in which they began, after this one, at most {@code limit}. */
    List<Reservation> ofPool(PoolId pool, Optional<String> after, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(
                        "select " + COLUMNS + " from reservation_view where " + PoolWalk.next(after))) {
            int i = PoolWalk.set(s, pool, after);
            s.setInt(++i, limit);
            return read(s).stream().map(Listed::state).toList();
        }
    }

    /** How many of these are shown in another pool than this. */
    int shownElsewhere(PoolId pool, List<String> reservationIds) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(
                        "select count(*) from reservation_view where reservation_id = any(?) and pool <> ?")) {
            s.setArray(1, connection.createArrayOf("text", reservationIds.toArray()));
            s.setString(2, pool.value());
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getInt(1);
            }
        }
    }

    private List<Listed> read(PreparedStatement s) throws SQLException {
        List<Listed> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                found.add(new Listed(
                        states.decode(r.getString(1).getBytes(StandardCharsets.UTF_8)),
                        r.getObject(2, OffsetDateTime.class).toInstant(),
                        r.getObject(3, OffsetDateTime.class).toInstant(),
                        r.getLong(4),
                        Synced.read(r, 5)));
            }
        }
        return found;
    }
}
