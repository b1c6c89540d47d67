package io.holdfast.reservation.view;

import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.page.Keyset;
import io.holdfast.reservation.page.PageQuery;
import io.holdfast.reservation.port.Loadable;
import io.holdfast.reservation.view.ReservationListing.Listed;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** Reads {@code reservation_view}. Blocking: call it on a thread that may wait. What it shows lags the journal a little. */
public final class ReservationQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = PageQuery.LONGEST;

    private static final String COLUMNS =
            "state, created_at, updated_at, sequence_number, synced_epoch, synced_version, sync_status";

    private static final Keyset<Listed> NEWEST_FIRST = Keyset.falling(
            "reservations",
            new Keyset.Key<>("created_at", Keyset.Kind.TIME, Listed::createdAt),
            new Keyset.Key<>(
                    "reservation_id", Keyset.Kind.TEXT, listed -> listed.state().id()));

    private final DataSource database;
    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);
    private final LoadableStates loadable = new LoadableStates();

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
        var page = matching("select " + COLUMNS, filter).page(database, cursor, limit, this::entry);
        return new ReservationListing(page.entries(), page.next());
    }

    static PageQuery<Listed> matching(String select, ReservationFilter filter) {
        return new PageQuery<>(select + " from reservation_view", NEWEST_FIRST)
                .and("order_id = ?", filter.orderId())
                .and("user_id = ?", filter.userId())
                .and("pool = ?", filter.pool().map(PoolId::value))
                .and("status = ?", filter.status().map(Enum::name))
                .andOfMerchants("pool", filter.merchants());
    }

    /** The reservations of a pool in the order in which they began, after this one, at most {@code limit}. */
    List<Reservation> ofPool(PoolId pool, Optional<String> after, int limit) throws SQLException {
        return ofPool(pool, after, limit, states::decode);
    }

    /** The same, as far as a load of the pool needs them. */
    List<Loadable> loadable(PoolId pool, Optional<String> after, int limit) throws SQLException {
        return ofPool(pool, after, limit, loadable::read);
    }

    private <T> List<T> ofPool(PoolId pool, Optional<String> after, int limit, Function<byte[], T> reading)
            throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(
                        "select state from reservation_view where " + PoolWalk.next(after))) {
            int i = PoolWalk.set(s, pool, after);
            s.setInt(++i, limit);
            List<T> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(reading.apply(r.getBytes(1)));
                }
            }
            return found;
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

    private Listed entry(ResultSet r) throws SQLException {
        return new Listed(
                state(r),
                r.getObject(2, OffsetDateTime.class).toInstant(),
                r.getObject(3, OffsetDateTime.class).toInstant(),
                r.getLong(4),
                Synced.read(r, 5));
    }

    private Reservation state(ResultSet row) throws SQLException {
        return states.decode(row.getString(1).getBytes(StandardCharsets.UTF_8));
    }
}
