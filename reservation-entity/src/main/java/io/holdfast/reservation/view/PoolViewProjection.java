package io.holdfast.reservation.view;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool.Status;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Keeps {@code pool_view}: what lists and the turn of the days need to know of a pool, changed event by event. */
public final class PoolViewProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "pool_view";

    private final JournalCodec<StockPoolEvent> events = JournalCodec.of(StockPoolEvent.class);

    /** What an event changes; empty is as before. */
    private record Change(
            Optional<Status> status,
            Optional<Boolean> suspect,
            Optional<Books> books,
            Optional<Long> baselineVersion,
            Optional<Sale> sale) {
        static final Change NONE = to(Optional.empty(), Optional.empty(), Optional.empty());

        static Change to(Optional<Status> status, Optional<Books> books, Optional<Long> baselineVersion) {
            return new Change(status, Optional.empty(), books, baselineVersion, Optional.empty());
        }

        static Change to(Status status) {
            return to(Optional.of(status), Optional.empty(), Optional.empty());
        }

        static Change to(Status status, Books books) {
            return to(Optional.of(status), Optional.of(books), Optional.empty());
        }

        static Change suspicion(boolean suspect, Optional<Books> books) {
            return new Change(Optional.empty(), Optional.of(suspect), books, Optional.empty(), Optional.empty());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        if (!row.machine().equals(StockPoolMachine.NAME)) {
            return;
        }
        Entry<StockPoolEvent> entry = events.decode(row.payload());
        Change change = switch (entry) {
            case Entry.Happened<StockPoolEvent> happened -> change(happened.event());
            case Entry.EffectStalled<StockPoolEvent> _ -> Change.NONE;
        };
        if (!change.equals(Change.NONE)) {
            write(connection, row, entry.meta().at(), change);
        }
    }

    private static Change change(StockPoolEvent event) {
        return switch (event) {
            case StockPoolEvent.OperationAccepted(PoolOperation operation) ->
                operation instanceof PoolOperation.Init init
                        ? new Change(
                                Optional.of(Status.INITIALIZING),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                init.sale())
                        : Change.NONE;
            case StockPoolEvent.PoolInitialized(var _, Books books) ->
                Change.to(Optional.of(Status.OPEN), Optional.of(books), Optional.of(1L));
            case StockPoolEvent.TotalAdjusted(var _, long version, Books books) ->
                Change.to(Optional.empty(), Optional.of(books), Optional.of(version));
            case StockPoolEvent.PoolPaused(var _, Books books) -> Change.to(Status.PAUSED, books);
            case StockPoolEvent.PoolResumed(var _, Books books) -> Change.to(Status.OPEN, books);
            case StockPoolEvent.PoolClosed(var _, Books books) -> Change.to(Status.CLOSED, books);
            case StockPoolEvent.PoolArchived(var _, Books books) -> Change.to(Status.ARCHIVED, books);
            case StockPoolEvent.StockRepaired(var _, Books books) ->
                Change.to(Optional.empty(), Optional.of(books), Optional.empty());
            // Only a pool that is being created can be back where it was never created.
            case StockPoolEvent.OperationRefused _ -> Change.to(Status.NEW);
            case StockPoolEvent.SuspicionRaised _,
                    StockPoolEvent.VerificationDiffered _,
                    StockPoolEvent.RebuildStarted _ -> Change.suspicion(true, Optional.empty());
            case StockPoolEvent.PoolRebuilt rebuilt -> Change.suspicion(false, Optional.of(rebuilt.books()));
            case StockPoolEvent.PoolReopened(var _, Optional<Books> books) -> Change.suspicion(false, books);
            case StockPoolEvent.UnitsDelivered _,
                    StockPoolEvent.KeysLetGo _,
                    StockPoolEvent.OpeningBegun _,
                    StockPoolEvent.VerificationStarted _,
                    StockPoolEvent.ContradictionNoticed _ -> Change.NONE;
        };
    }

    private static void write(Connection connection, JournalRow row, Instant at, Change change) throws SQLException {
        PoolId pool = PoolId.parse(row.entityId());
        try (PreparedStatement s = connection.prepareStatement("""
            insert into pool_view as v (pool, merchant, dish, day, status, suspect, total, deficit, baseline_version,
                key_version, created_at, updated_at, sequence_number)
            values (?, ?, ?, ?, coalesce(?, 'NEW'), coalesce(?, false), ?, ?, ?, ?, ?, ?, ?)
            on conflict (pool) do update set
                status = case when ? = 'NEW' and v.status <> 'INITIALIZING' then v.status
                         else coalesce(?, v.status) end,
                suspect = coalesce(?, v.suspect),
                total = coalesce(excluded.total, v.total),
                deficit = coalesce(excluded.deficit, v.deficit),
                baseline_version = coalesce(excluded.baseline_version, v.baseline_version),
                key_version = coalesce(excluded.key_version, v.key_version),
                updated_at = excluded.updated_at,
                sequence_number = excluded.sequence_number
            where v.sequence_number < excluded.sequence_number
            """)) {
            String status = change.status().map(Enum::name).orElse(null);
            OffsetDateTime time = OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
            s.setString(1, pool.value());
            s.setString(2, pool.merchant());
            s.setString(3, pool.dish());
            s.setObject(4, pool.day().orElse(null), Types.DATE);
            s.setString(5, status);
            bool(s, 6, change.suspect());
            number(s, 7, change.books().map(Books::total));
            number(s, 8, change.books().map(Books::deficit));
            number(s, 9, change.baselineVersion());
            number(s, 10, change.sale().map(sale -> (long) sale.keyVersion()));
            s.setObject(11, time);
            s.setObject(12, time);
            s.setLong(13, row.sequenceNumber());
            s.setString(14, status);
            s.setString(15, status);
            bool(s, 16, change.suspect());
            s.executeUpdate();
        }
    }

    private static void bool(PreparedStatement s, int index, Optional<Boolean> value) throws SQLException {
        if (value.isPresent()) {
            s.setBoolean(index, value.get());
        } else {
            s.setNull(index, Types.BOOLEAN);
        }
    }

    private static void number(PreparedStatement s, int index, Optional<Long> value) throws SQLException {
        if (value.isPresent()) {
            s.setLong(index, value.get());
        } else {
            s.setNull(index, Types.BIGINT);
        }
    }

    @Override
    public boolean takesAgain() {
        return true; // events up to the one it shows are passed over
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from pool_view where slice between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }
}
