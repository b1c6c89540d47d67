package io.holdfast.node;

import io.holdfast.http.route.LedgerReads;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.AnomalyQueries;
import io.holdfast.reservation.ledger.LedgerFilter;
import io.holdfast.reservation.ledger.LedgerPage;
import io.holdfast.reservation.ledger.LedgerQueries;
import io.holdfast.reservation.ledger.Snapshot;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/** What became of the numbers of pools, read from the tables that the projections keep. */
final class ViewLedgerReads implements LedgerReads {

    private final LedgerQueries ledger;
    private final AnomalyQueries anomalies;

    ViewLedgerReads(DataSource views) {
        this.ledger = new LedgerQueries(views);
        this.anomalies = new AnomalyQueries(views);
    }

    @Override
    public LedgerPage page(LedgerFilter filter, Optional<String> cursor, int limit) throws SQLException {
        return ledger.page(filter, cursor, limit);
    }

    @Override
    public Optional<Snapshot> snapshot(PoolId pool) throws SQLException {
        return ledger.snapshot(pool);
    }

    @Override
    public Optional<Snapshot> snapshot(PoolId pool, Instant at) throws SQLException {
        return ledger.snapshot(pool, at);
    }

    @Override
    public AnomalyQueries.Page anomalies(AnomalyQueries.Filter filter, Optional<String> cursor, int limit)
            throws SQLException {
        return anomalies.list(filter, cursor, limit);
    }

    @Override
    public Optional<Anomaly> anomaly(String id) throws SQLException {
        return anomalies.find(id);
    }
}
