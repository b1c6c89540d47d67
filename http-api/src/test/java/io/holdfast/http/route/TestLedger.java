package io.holdfast.http.route;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.AnomalyQueries;
import io.holdfast.reservation.ledger.LedgerFilter;
import io.holdfast.reservation.ledger.LedgerPage;
import io.holdfast.reservation.ledger.LedgerRow;
import io.holdfast.reservation.ledger.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows and anomalies that a test puts there. Cursors are the number of entries to skip. */
final class TestLedger implements LedgerReads {

    final List<LedgerRow> rows = new ArrayList<>();
    final List<Anomaly> anomalies = new ArrayList<>();
    /** What was asked for last. */
    volatile Optional<LedgerFilter> asked = Optional.empty();

    private static int skip(Optional<String> cursor) {
        return cursor.map(Integer::parseInt).orElse(0);
    }

    private static Optional<String> next(int skipped, int limit, int all) {
        return skipped + limit < all ? Optional.of(Integer.toString(skipped + limit)) : Optional.empty();
    }

    @Override
    public LedgerPage page(LedgerFilter filter, Optional<String> cursor, int limit) {
        asked = Optional.of(filter);
        List<LedgerRow> all = rows.stream()
                .filter(row -> row.change().pool().equals(filter.pool().value()))
                .toList();
        int skip = skip(cursor);
        return new LedgerPage(all.stream().skip(skip).limit(limit).toList(), next(skip, limit, all.size()));
    }

    @Override
    public Optional<Snapshot> snapshot(PoolId pool) {
        return rows.stream()
                .filter(row -> row.change().pool().equals(pool.value()))
                .reduce((_, last) -> last)
                .map(row -> new Snapshot(pool.value(), row.change().after(), row.at(), true));
    }

    @Override
    public Optional<Snapshot> snapshot(PoolId pool, Instant at) {
        return rows.stream()
                .filter(row ->
                        row.change().pool().equals(pool.value()) && !row.at().isAfter(at))
                .reduce((_, last) -> last)
                .map(row -> new Snapshot(pool.value(), row.change().after(), row.at(), true));
    }

    @Override
    public AnomalyQueries.Page anomalies(AnomalyQueries.Filter filter, Optional<String> cursor, int limit) {
        int skip = skip(cursor);
        List<Anomaly> all = anomalies.stream()
                .filter(anomaly -> filter.merchants()
                        .map(merchants -> anomaly.pool()
                                .filter(pool -> merchants.contains(pool.substring(0, pool.indexOf(':'))))
                                .isPresent())
                        .orElse(true))
                .toList();
        return new AnomalyQueries.Page(all.stream().skip(skip).limit(limit).toList(), next(skip, limit, all.size()));
    }

    @Override
    public Optional<Anomaly> anomaly(String id) {
        return anomalies.stream().filter(anomaly -> anomaly.id().equals(id)).findFirst();
    }
}
