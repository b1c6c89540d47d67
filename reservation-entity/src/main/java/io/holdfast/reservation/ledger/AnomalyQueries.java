package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.page.Keyset;
import io.holdfast.reservation.page.PageQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Reads what was found to contradict itself. Blocking. */
public final class AnomalyQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = PageQuery.LONGEST;

    private static final Keyset<Anomaly> NEWEST_FIRST = Keyset.falling(
            "anomalies",
            new Keyset.Key<>("at", Keyset.Kind.TIME, Anomaly::at),
            new Keyset.Key<>("id", Keyset.Kind.TEXT, Anomaly::id));

    private static final String SELECT =
            "select id, source, type, pool, reservation_id, summary, evidence, at, class, seen_at, gone_at from"
                    + " anomaly";

    private final DataSource database;

    /** @param database the read side's own pool */
    public AnomalyQueries(DataSource database) {
        this.database = database;
    }

    /**
     * Which to list; every present part must hold.
     *
     * @param type exactly this
     * @param source found by this
     * @param kind of this class: REPAIR, WAIT or MANUAL
     * @param open whether those that are gone are left out, or all others
     * @param merchants of a pool of one of these merchants or activities
     */
    public record Filter(
            Optional<PoolId> pool,
            Optional<String> reservationId,
            Optional<String> type,
            Optional<String> source,
            Optional<String> kind,
            Optional<Boolean> open,
            Optional<Set<String>> merchants) {

        /** Of every class, gone or not. */
        public Filter(
                Optional<PoolId> pool, Optional<String> reservationId, Optional<String> type, Optional<String> source) {
            this(pool, reservationId, type, source, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** All of them. */
        public static Filter none() {
            return new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * One page, newest first.
     *
     * @param next where the next page begins; empty on the last one
     */
    public record Page(List<Anomaly> entries, Optional<String> next) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Lists them, newest first.
     *
     * @param cursor {@link Page#next} of the page before; empty for the first page
     * @param limit 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException if the cursor is not one of ours, or the limit is out of range
     */
    public Page list(Filter filter, Optional<String> cursor, int limit) throws SQLException {
        var query = new PageQuery<>(SELECT, NEWEST_FIRST)
                .and("pool = ?", filter.pool().map(PoolId::value))
                .and("reservation_id = ?", filter.reservationId())
                .and("type = ?", filter.type())
                .and("source = ?", filter.source())
                .and("class = ?", filter.kind())
                .and("(gone_at is null) = ?", filter.open())
                .andOfMerchants("pool", filter.merchants());
        var page = query.page(database, cursor, limit, AnomalyQueries::entry);
        return new Page(page.entries(), page.next());
    }

    /** The anomaly of this id. */
    public Optional<Anomaly> find(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(SELECT + " where id = ?")) {
            s.setString(1, id);
            return read(s).stream().findFirst();
        }
    }

    private static Optional<Instant> time(ResultSet r, int column) throws SQLException {
        return Optional.ofNullable(r.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static List<Anomaly> read(PreparedStatement s) throws SQLException {
        List<Anomaly> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                found.add(entry(r));
            }
        }
        return found;
    }

    private static Anomaly entry(ResultSet r) throws SQLException {
        return new Anomaly(
                r.getString(1),
                r.getString(2),
                r.getString(3),
                Optional.ofNullable(r.getString(4)),
                Optional.ofNullable(r.getString(5)),
                r.getString(6),
                r.getString(7),
                r.getObject(8, OffsetDateTime.class).toInstant(),
                Optional.ofNullable(r.getString(9)),
                time(r, 10),
                time(r, 11));
    }
}
