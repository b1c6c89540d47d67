package io.holdfast.http.route;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.AnomalyQueries;
import io.holdfast.reservation.ledger.LedgerFilter;
import io.holdfast.reservation.ledger.LedgerPage;
import io.holdfast.reservation.ledger.Snapshot;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Reads what became of the numbers of pools. Blocking; called on threads made for that. */
public interface LedgerReads {

    /**
     * One page of a pool's ledger, in the order of its versions.
     *
     * @throws IllegalArgumentException if the cursor is not one of a ledger
     */
    LedgerPage page(LedgerFilter filter, Optional<String> cursor, int limit) throws SQLException;

    /** How a pool stands; empty if nothing of it was projected. */
    Optional<Snapshot> snapshot(PoolId pool) throws SQLException;

    /** How a pool stood after everything journaled up to and including this moment; likewise. */
    Optional<Snapshot> snapshot(PoolId pool, Instant at) throws SQLException;

    /**
     * One page of what contradicts itself, newest first.
     *
     * @throws IllegalArgumentException if the cursor is not one of this list
     */
    AnomalyQueries.Page anomalies(AnomalyQueries.Filter filter, Optional<String> cursor, int limit) throws SQLException;

    /** The anomaly of this id. */
    Optional<Anomaly> anomaly(String id) throws SQLException;
}
