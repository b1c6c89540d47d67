package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.page.Keyset;
import io.holdfast.reservation.page.PageQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads {@code stock_ledger}. Blocking. What it shows lags the journal a little. */
public final class LedgerQueries {

    /** The most rows of one page. */
    public static final int LONGEST_PAGE = PageQuery.LONGEST;

    private static final Keyset<LedgerRow> BY_VERSION = Keyset.rising(
            "ledger",
            new Keyset.Key<>(
                    "l.epoch", Keyset.Kind.NUMBER, row -> row.change().after().epoch()),
            new Keyset.Key<>(
                    "l.version", Keyset.Kind.NUMBER, row -> row.change().after().version()));

    private static final String BALANCE = """
        select l.epoch, count(*), min(l.version) filter (where l.action in ('INIT', 'REBUILD')), max(l.version),
               sum(l.total_delta), sum(l.deficit_delta), sum(l.available_delta), sum(l.reserved_delta), sum(l.sold_delta)
        from stock_ledger l where l.pool = ? and l.day = ?::date
        group by l.epoch order by l.epoch desc limit 1
        """;

    /** As the view stock_snapshot has it, and also of a pool whose own events were not projected yet. */
    private static final String SNAPSHOT = """
        select l.epoch, l.version, l.total, l.deficit, l.available, l.reserved, l.sold, l.at,
               (select count(*) = l.version - min(e.version) + 1 from stock_ledger e
                where e.pool = l.pool and e.day = l.day and e.epoch = l.epoch and e.at <= m.until)
               and (select f.action in ('INIT', 'REBUILD') from stock_ledger f
                    where f.pool = l.pool and f.day = l.day and f.epoch = l.epoch order by f.version limit 1)
        from (select ?::timestamptz as until) m, stock_ledger l
        where l.pool = ? and l.day = ?::date and l.at <= m.until order by l.epoch desc, l.version desc limit 1
        """;

    private static final String WHENEVER = "infinity";

    private final DataSource database;

    /** @param database the read side's own pool */
    public LedgerQueries(DataSource database) {
        this.database = database;
    }

    /**
     * Lists rows in the order of epoch and version.
     *
     * @param cursor {@link LedgerPage#next} of the page before; empty for the first page
     * @param limit 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException if the cursor is not one of ours, or the limit is out of range
     */
    public LedgerPage page(LedgerFilter filter, Optional<String> cursor, int limit) throws SQLException {
        var page = new PageQuery<>(
                        "select " + LedgerColumns.ALL + " from stock_ledger l",
                        BY_VERSION.of(filter.pool().value()))
                .and(
                        "l.pool = ? and l.day = ?::date",
                        filter.pool().value(),
                        LedgerDay.of(filter.pool().value()))
                .and("l.at >= ?", filter.from().map(LedgerQueries::time))
                .and("l.at < ?", filter.to().map(LedgerQueries::time))
                .and("l.reservation_id = ?", filter.reservationId())
                .page(database, cursor, limit, LedgerColumns::read);
        return new LedgerPage(page.entries(), page.next());
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    /** How the pool stands; empty if nothing of it was projected. */
    public Optional<Snapshot> snapshot(PoolId pool) throws SQLException {
        return snapshot(pool, WHENEVER);
    }

    /**
     * How the pool stood after everything that was journaled up to and including this moment. What has the greatest epoch and version of it
     * counts: what was journaled later, though Redis had done it before, was not known then.
     *
     * @param at in microseconds
     */
    public Optional<Snapshot> snapshot(PoolId pool, Instant at) throws SQLException {
        return snapshot(pool, at.toString());
    }

    private Optional<Snapshot> snapshot(PoolId pool, String until) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(SNAPSHOT)) {
            s.setString(1, until);
            s.setString(2, pool.value());
            s.setString(3, LedgerDay.of(pool.value()));
            try (ResultSet r = s.executeQuery()) {
                if (!r.next()) {
                    return Optional.empty();
                }
                Books books = new Books(
                        r.getLong(1),
                        r.getLong(2),
                        r.getLong(3),
                        r.getLong(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getLong(7));
                return Optional.of(new Snapshot(
                        pool.value(),
                        books,
                        r.getObject(8, OffsetDateTime.class).toInstant(),
                        r.getBoolean(9)));
            }
        }
    }

    /** What the latest book of a pool adds up to; empty if it has none. */
    public Optional<Balance> balance(PoolId pool) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return balance(connection, pool);
        }
    }

    /** The same within a transaction of the caller's, for whoever compares it with what else that transaction sees. */
    public static Optional<Balance> balance(Connection connection, PoolId pool) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(BALANCE)) {
            s.setString(1, pool.value());
            s.setString(2, LedgerDay.of(pool.value()));
            try (ResultSet r = s.executeQuery()) {
                if (!r.next()) {
                    return Optional.empty();
                }
                long opened = r.getLong(3);
                Optional<Long> openedAt = r.wasNull() ? Optional.empty() : Optional.of(opened);
                var sum = new StockMove(r.getLong(5), r.getLong(6), r.getLong(7), r.getLong(8), r.getLong(9));
                return Optional.of(new Balance(r.getLong(1), r.getLong(2), openedAt, r.getLong(4), sum));
            }
        }
    }
}
