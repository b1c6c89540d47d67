package io.holdfast.reconciliation;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Runs, findings and proofs as they are kept. Whoever carries runs out writes through the connection that makes it the only one who does.
 * Blocking.
 */
public interface RunStore {

    /** What came of a pool. */
    sealed interface PoolOutcome {
        /** Compared; nothing differs. */
        record Consistent(Proof proof) implements PoolOutcome {}

        /** Compared; something differs, so nothing is proved. */
        record Differs(Drift drift) implements PoolOutcome {}

        /** Nothing has moved since it was proved. */
        record Unchanged() implements PoolOutcome {}

        /** Not compared. */
        record Skipped() implements PoolOutcome {}
    }

    /** Runs that were at work are taken up by whoever calls this. */
    void takeUp(Connection connection) throws SQLException;

    /** Asks for a run of all pools if the latest that the schedule asked for began longer ago than that, and none waits. */
    void schedule(Connection connection, ReconciliationSettings.Schedule schedule) throws SQLException;

    /** The run whose turn it is: one of a single pool before others, then in order. Begins it if it waited. */
    Optional<Run> next(Connection connection) throws SQLException;

    /** What is proved of a pool. */
    Optional<Proof> proof(Connection connection, String pool) throws SQLException;

    /** Forgets what this run found of a pool, which it begins anew. */
    void beginPool(Connection connection, String run, String pool) throws SQLException;

    /** Keeps findings of a pool. */
    void found(Connection connection, String run, String pool, List<Finding> findings) throws SQLException;

    /**
     * Keeps that the run is done with a pool, with what came of it.
     *
     * @param whole whether every reservation was looked at: then what earlier runs found and this did not is gone
     * @param mended whether everything it found has been put right
     */
    void endPool(
            Connection connection,
            String run,
            String pool,
            PoolOutcome outcome,
            boolean whole,
            boolean mended,
            Optional<Instant> watermark,
            Run.Counts counts)
            throws SQLException;

    /** The next findings of a run about a pool that are open and may be repaired, in order. */
    List<RecordedFinding> repairable(Connection connection, String run, String pool, long after, int limit)
            throws SQLException;

    /** What a run found of this type about the pool itself, if it is open. */
    Optional<RecordedFinding> ofPool(Connection connection, String run, String pool, FindingType type)
            throws SQLException;

    /** A finding is there no more, nor is what earlier runs had found of the same. */
    void settle(
            Connection connection,
            RecordedFinding finding,
            RecordedFinding.State state,
            Optional<String> repairId,
            String outcome)
            throws SQLException;

    /** A finding stays open; why. */
    void note(Connection connection, RecordedFinding finding, Optional<String> repairId, String outcome)
            throws SQLException;

    /**
     * A pool that a repair has paused, or is about to.
     *
     * @param operation the pause
     */
    record Paused(String pool, String run, String operation) {}

    /** Keeps that a pool is about to be paused. */
    void pausing(Connection connection, String run, String pool, String operation) throws SQLException;

    /** Pools that are to be resumed. */
    List<Paused> paused(Connection connection) throws SQLException;

    /** A pool is resumed, or need not be. */
    void resumed(Connection connection, String pool) throws SQLException;

    /** Ends a run. */
    Run end(Connection connection, String run, Optional<String> failure) throws SQLException;

    /** Forgets runs that ended longer ago than that. */
    void forget(Connection connection, Duration keep) throws SQLException;
}
