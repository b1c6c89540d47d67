package io.holdfast.reconciliation.sql;

import io.holdfast.engine.fleet.DatabaseTime;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Lag;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.engine.projection.Projections;
import io.holdfast.reconciliation.JournalSide;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.ledger.LedgerDay;
import io.holdfast.reservation.view.PoolWalk;
import io.holdfast.reservation.view.ReservationViewProjection;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;

/** Reads {@code reservation_view}, {@code pool_view} and {@code stock_ledger}. */
public final class ViewJournalSide implements JournalSide {

    /** Measured anew after this: it costs a few queries, and a watermark may be a little old. */
    private static final Duration SETTLED_AGAIN_AFTER = Duration.ofSeconds(1);

    /** Queries at a time: the connections are those of whoever asks over HTTP. */
    private static final int QUERIES_AT_ONCE = 2;

    private final DataSource database;
    private final Semaphore queries = new Semaphore(QUERIES_AT_ONCE);
    private final Projections projections;
    private final ProjectionProgress view;
    private final Duration patience;
    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);
    private Instant settled = Instant.EPOCH;
    private long settledAt;

    /** @param patience how long the view may take to catch up */
    public ViewJournalSide(DataSource database, ProjectionProgress view, Duration patience) {
        this.database = database;
        this.projections = new Projections(database);
        this.view = view;
        this.patience = patience;
    }

    @Override
    public List<String> pools(String prefix, String after, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select pool from pool_view
                    where pool >= ? and pool > ? and starts_with(pool, ?) and status not in ('NEW', 'ARCHIVED')
                    order by pool limit ?
                    """)) {
            s.setString(1, prefix);
            s.setString(2, after);
            s.setString(3, prefix);
            s.setInt(4, limit);
            try (ResultSet r = s.executeQuery()) {
                List<String> ids = new ArrayList<>();
                while (r.next()) {
                    ids.add(r.getString(1));
                }
                return ids;
            }
        }
    }

    @Override
    public Optional<Passed> passedNow() {
        try {
            JournalPosition position = view.position().toCompletableFuture().join();
            return switch (view.awaitPassed(position, patience)
                    .toCompletableFuture()
                    .join()) {
                case Passage.Passed passed -> Optional.of(new Passed(position.xid(), passed));
                case Passage.NotYet _ -> Optional.empty();
            };
        } catch (CompletionException e) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized Instant settledUntil() throws SQLException {
        long now = System.nanoTime();
        if (settled.equals(Instant.EPOCH) || now - settledAt >= SETTLED_AGAIN_AFTER.toNanos()) {
            Lag lag = projections.lag(ReservationViewProjection.NAME);
            settled = DatabaseTime.of(database)
                    .minus(lag.oldest().orElse(Duration.ZERO))
                    .minus(lag.openWriter().orElse(Duration.ZERO));
            settledAt = now;
        }
        return settled;
    }

    @Override
    public List<Viewed> page(PoolId pool, Optional<String> after, Optional<Instant> movedAfter, int limit)
            throws SQLException {
        try (Turn _ = turn();
                Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(
                        "select state, updated_at, sequence_number from reservation_view where "
                                + PoolWalk.next(after, " and updated_at > ?"))) {
            int i = PoolWalk.set(s, pool, after);
            s.setObject(++i, OffsetDateTime.ofInstant(movedAfter.orElse(Instant.EPOCH), ZoneOffset.UTC));
            s.setInt(++i, limit);
            return read(s);
        }
    }

    @Override
    public LedgerSum ledger(PoolId pool, long epoch, long after, long upTo) throws SQLException {
        try (Turn _ = turn();
                Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select count(*), coalesce(min(version), 0), coalesce(bool_or(action in ('INIT', 'REBUILD')), false),
                           coalesce(sum(total_delta), 0), coalesce(sum(deficit_delta), 0),
                           coalesce(sum(available_delta), 0), coalesce(sum(reserved_delta), 0),
                           coalesce(sum(sold_delta), 0)
                    from stock_ledger where pool = ? and day = ?::date and epoch = ? and version > ? and version <= ?
                    """)) {
            s.setString(1, pool.value());
            s.setString(2, LedgerDay.of(pool.value()));
            s.setLong(3, epoch);
            s.setLong(4, after);
            s.setLong(5, upTo);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return new LedgerSum(
                        r.getLong(1),
                        r.getLong(2),
                        r.getBoolean(3),
                        new Books(epoch, upTo, r.getLong(4), r.getLong(5), r.getLong(6), r.getLong(7), r.getLong(8)));
            }
        }
    }

    @Override
    public boolean anyOwes(PoolId pool) throws SQLException {
        try (Turn _ = turn();
                Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select exists (select from reservation_view where pool = ?
                                   and status in ('PREPARING', 'CONFIRMING', 'CANCELING', 'REFUNDING'))
                    """)) {
            s.setString(1, pool.value());
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getBoolean(1);
            }
        }
    }

    @Override
    public Map<String, Viewed> byId(List<String> reservationIds) throws SQLException {
        Map<String, Viewed> found = new HashMap<>();
        if (reservationIds.isEmpty()) {
            return found;
        }
        try (Turn _ = turn();
                Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(
                        "select state, updated_at, sequence_number from reservation_view where reservation_id ="
                                + " any(?)")) {
            s.setArray(1, connection.createArrayOf("text", reservationIds.toArray()));
            read(s).forEach(viewed -> found.put(viewed.state().id(), viewed));
        }
        return found;
    }

    private List<Viewed> read(PreparedStatement s) throws SQLException {
        try (ResultSet r = s.executeQuery()) {
            List<Viewed> rows = new ArrayList<>();
            while (r.next()) {
                rows.add(new Viewed(
                        states.decode(r.getString(1).getBytes(StandardCharsets.UTF_8)),
                        r.getObject(2, OffsetDateTime.class).toInstant(),
                        r.getLong(3)));
            }
            return rows;
        }
    }

    /** One of the queries at a time. */
    private interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    private Turn turn() {
        queries.acquireUninterruptibly();
        return queries::release;
    }
}
