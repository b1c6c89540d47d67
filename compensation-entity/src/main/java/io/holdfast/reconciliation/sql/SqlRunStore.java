package io.holdfast.reconciliation.sql;

import io.holdfast.reconciliation.Drift;
import io.holdfast.reconciliation.Finding;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reconciliation.Proof;
import io.holdfast.reconciliation.ReconciliationSettings;
import io.holdfast.reconciliation.RecordedFinding;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunStore;
import io.holdfast.reservation.domain.Books;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps runs in {@code reconciliation_run}, {@code reconciliation_finding} and {@code reconciliation_pool}. */
public final class SqlRunStore implements RunStore {

    @Override
    public void takeUp(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update reconciliation_run set taken_up = taken_up + 1 where status = 'RUNNING'")) {
            s.executeUpdate();
        }
    }

    @Override
    public void schedule(Connection connection, ReconciliationSettings.Schedule schedule) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into reconciliation_run (id, scope, mode, full_pass, requested_by, scheduled)
            select gen_random_uuid()::text, 'ALL', ?,
                   not exists (select from reconciliation_run where scheduled and full_pass
                               and requested_at > now() - ? * interval '1 millisecond'),
                   'schedule', true
            where not exists (select from reconciliation_run where scheduled and (status in ('QUEUED', 'RUNNING')
                              or requested_at > now() - ? * interval '1 millisecond'))
            """)) {
            s.setString(1, schedule.mode().name());
            s.setLong(2, schedule.fullEvery().toMillis());
            s.setLong(3, schedule.every().toMillis());
            s.executeUpdate();
        }
    }

    @Override
    public Optional<Run> next(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update reconciliation_run set
                taken_up = case status when 'QUEUED' then 1 else taken_up end,
                started_at = coalesce(started_at, now()),
                status = 'RUNNING'
            where id = (select id from reconciliation_run where status in ('QUEUED', 'RUNNING')
                        order by scope <> 'POOL', number limit 1)
            returning
            """ + RunRows.RUN)) {
            return one(s);
        }
    }

    @Override
    public Optional<Proof> proof(Connection connection, String pool) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            select watermark, full_at, epoch, redis_version, total, deficit, available, reserved, sold
            from reconciliation_pool where pool = ? and watermark is not null
            """)) {
            s.setString(1, pool);
            try (ResultSet r = s.executeQuery()) {
                if (!r.next()) {
                    return Optional.empty();
                }
                long epoch = r.getLong("epoch");
                Optional<Books> books = r.wasNull()
                        ? Optional.empty()
                        : Optional.of(new Books(
                                epoch,
                                r.getLong("redis_version"),
                                r.getLong("total"),
                                r.getLong("deficit"),
                                r.getLong("available"),
                                r.getLong("reserved"),
                                r.getLong("sold")));
                return Optional.of(new Proof(
                        RunRows.time(r, "watermark").orElseThrow(),
                        books,
                        RunRows.time(r, "full_at").orElseThrow()));
            }
        }
    }

    @Override
    public void beginPool(Connection connection, String run, String pool) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "delete from reconciliation_finding where run = ? and pool = ? and state = 'OPEN'")) {
            s.setString(1, run);
            s.setString(2, pool);
            s.executeUpdate();
        }
    }

    @Override
    public void found(Connection connection, String run, String pool, List<Finding> findings) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into reconciliation_finding (run, pool, object, type, class, journal, redis, sequence_number,
                epoch, redis_version, position, first_seen_at)
            select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                coalesce((select min(first_seen_at) from reconciliation_finding
                          where pool = ? and object = ? and type = ? and state = 'OPEN'), now())
            on conflict on constraint reconciliation_finding_once do nothing
            """)) {
            for (Finding finding : findings) {
                int i = 0;
                s.setString(++i, run);
                s.setString(++i, pool);
                s.setString(++i, finding.object());
                s.setString(++i, finding.type().name());
                s.setString(++i, finding.kind().name());
                s.setString(++i, finding.evidence().journal());
                s.setString(++i, finding.evidence().redis());
                s.setLong(++i, finding.evidence().sequenceNumber());
                s.setLong(++i, finding.evidence().epoch());
                s.setLong(++i, finding.evidence().version());
                s.setLong(++i, finding.evidence().position());
                s.setString(++i, pool);
                s.setString(++i, finding.object());
                s.setString(++i, finding.type().name());
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    @Override
    public void endPool(
            Connection connection,
            String run,
            String pool,
            PoolOutcome outcome,
            boolean whole,
            boolean mended,
            Optional<Instant> watermark,
            Run.Counts counts)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            record(connection, run, pool, outcome, mended);
            if (whole && (outcome instanceof PoolOutcome.Consistent || outcome instanceof PoolOutcome.Differs)) {
                settleGone(connection, run, pool);
            }
            count(connection, run, pool, watermark, counts);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void record(Connection connection, String run, String pool, PoolOutcome outcome, boolean mended)
            throws SQLException {
        switch (outcome) {
            case PoolOutcome.Consistent(Proof proof) ->
                write(connection, run, pool, true, Drift.NONE, Optional.of(proof));
            case PoolOutcome.Differs(Drift drift) ->
                write(connection, run, pool, mended, mended ? Drift.NONE : drift, Optional.empty());
            case PoolOutcome.Unchanged() -> {
                try (PreparedStatement s = connection.prepareStatement(
                        "update reconciliation_pool set last_run = ?, completed_at = now() where pool = ?")) {
                    s.setString(1, run);
                    s.setString(2, pool);
                    s.executeUpdate();
                }
            }
            case PoolOutcome.Skipped() -> write(connection, run, pool, null, Drift.NONE, Optional.empty());
        }
    }

    private static void write(
            Connection connection,
            String run,
            String pool,
            @Nullable Boolean consistent,
            Drift drift,
            Optional<Proof> proof)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into reconciliation_pool as p (pool, last_run, completed_at, consistent, oversellable, undersold,
                oversold, watermark, full_at, epoch, redis_version, total, deficit, available, reserved, sold)
            values (?, ?, now(), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (pool) do update set last_run = excluded.last_run, completed_at = excluded.completed_at,
                consistent = excluded.consistent, oversellable = excluded.oversellable,
                undersold = excluded.undersold, oversold = excluded.oversold, watermark = excluded.watermark,
                full_at = excluded.full_at, epoch = excluded.epoch, redis_version = excluded.redis_version,
                total = excluded.total, deficit = excluded.deficit, available = excluded.available,
                reserved = excluded.reserved, sold = excluded.sold
            """)) {
            int i = 0;
            s.setString(++i, pool);
            s.setString(++i, run);
            s.setObject(++i, consistent);
            s.setLong(++i, drift.oversellable());
            s.setLong(++i, drift.undersold());
            s.setLong(++i, drift.oversold());
            s.setObject(++i, proof.map(Proof::watermark).map(SqlRunStore::at).orElse(null));
            s.setObject(++i, proof.map(Proof::fullAt).map(SqlRunStore::at).orElse(null));
            Optional<Books> books = proof.flatMap(Proof::books);
            s.setObject(++i, books.map(Books::epoch).orElse(null));
            s.setObject(++i, books.map(Books::version).orElse(null));
            s.setObject(++i, books.map(Books::total).orElse(null));
            s.setObject(++i, books.map(Books::deficit).orElse(null));
            s.setObject(++i, books.map(Books::available).orElse(null));
            s.setObject(++i, books.map(Books::reserved).orElse(null));
            s.setObject(++i, books.map(Books::sold).orElse(null));
            s.executeUpdate();
        }
    }

    private static OffsetDateTime at(Instant time) {
        return OffsetDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    /** What earlier runs found, and this one did not. */
    private static void settleGone(Connection connection, String run, String pool) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update reconciliation_finding f set state = 'GONE', settled_at = now(), outcome = 'not found any more'
            where f.pool = ? and f.state = 'OPEN' and f.run <> ?
              and not exists (select from reconciliation_finding n where n.run = ? and n.pool = f.pool
                              and n.object = f.object and n.type = f.type and n.state = 'OPEN')
            """)) {
            s.setString(1, pool);
            s.setString(2, run);
            s.setString(3, run);
            s.executeUpdate();
        }
    }

    private static void count(
            Connection connection, String run, String pool, Optional<Instant> watermark, Run.Counts counts)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update reconciliation_run set after_pool = ?, watermark = coalesce(?, watermark), pools = pools + ?,
                unchanged = unchanged + ?, skipped = skipped + ?, compared = compared + ?,
                postponed = postponed + ?, findings = findings + ?, repaired = repaired + ?
            where id = ?
            """)) {
            int i = 0;
            s.setString(++i, pool);
            s.setObject(++i, watermark.map(SqlRunStore::at).orElse(null));
            s.setLong(++i, counts.pools());
            s.setLong(++i, counts.unchanged());
            s.setLong(++i, counts.skipped());
            s.setLong(++i, counts.compared());
            s.setLong(++i, counts.postponed());
            s.setLong(++i, counts.findings());
            s.setLong(++i, counts.repaired());
            s.setString(++i, run);
            s.executeUpdate();
        }
    }

    @Override
    public List<RecordedFinding> repairable(Connection connection, String run, String pool, long after, int limit)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select " + RunRows.FINDING + """
             from reconciliation_finding
            where run = ? and pool = ? and id > ? and state = 'OPEN' and class = 'REPAIR' order by id limit ?
            """)) {
            s.setString(1, run);
            s.setString(2, pool);
            s.setLong(3, after);
            s.setInt(4, limit);
            try (ResultSet r = s.executeQuery()) {
                List<RecordedFinding> findings = new ArrayList<>();
                while (r.next()) {
                    findings.add(RunRows.finding(r));
                }
                return findings;
            }
        }
    }

    @Override
    public Optional<RecordedFinding> ofPool(Connection connection, String run, String pool, FindingType type)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select " + RunRows.FINDING + """
             from reconciliation_finding
            where run = ? and pool = ? and object = ? and type = ? and state = 'OPEN'
            """)) {
            s.setString(1, run);
            s.setString(2, pool);
            s.setString(3, pool);
            s.setString(4, type.name());
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(RunRows.finding(r)) : Optional.empty();
            }
        }
    }

    @Override
    public void settle(
            Connection connection,
            RecordedFinding finding,
            RecordedFinding.State state,
            Optional<String> repairId,
            String outcome)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update reconciliation_finding set state = ?, settled_at = now(), outcome = ?,
                repair_id = case when id = ? then ? else repair_id end
            where pool = ? and object = ? and type = ? and state = 'OPEN'
            """)) {
            s.setString(1, state.name());
            s.setString(2, outcome);
            s.setLong(3, finding.id());
            s.setString(4, repairId.orElse(null));
            s.setString(5, finding.pool());
            s.setString(6, finding.finding().object());
            s.setString(7, finding.finding().type().name());
            s.executeUpdate();
        }
    }

    @Override
    public void note(Connection connection, RecordedFinding finding, Optional<String> repairId, String outcome)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update reconciliation_finding set repair_id = coalesce(?, repair_id), outcome = ? where id = ?")) {
            s.setString(1, repairId.orElse(null));
            s.setString(2, outcome);
            s.setLong(3, finding.id());
            s.executeUpdate();
        }
    }

    @Override
    public void pausing(Connection connection, String run, String pool, String operation) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into reconciliation_pool as p (pool, last_run, completed_at, paused_by) values (?, ?, now(), ?)
            on conflict (pool) do update set last_run = excluded.last_run, paused_by = excluded.paused_by
            """)) {
            s.setString(1, pool);
            s.setString(2, run);
            s.setString(3, operation);
            s.executeUpdate();
        }
    }

    @Override
    public List<Paused> paused(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                        "select pool, last_run, paused_by from reconciliation_pool where paused_by is not null");
                ResultSet r = s.executeQuery()) {
            List<Paused> paused = new ArrayList<>();
            while (r.next()) {
                paused.add(new Paused(r.getString(1), r.getString(2), r.getString(3)));
            }
            return paused;
        }
    }

    @Override
    public void resumed(Connection connection, String pool) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("update reconciliation_pool set paused_by = null where pool = ?")) {
            s.setString(1, pool);
            s.executeUpdate();
        }
    }

    @Override
    public Run end(Connection connection, String run, Optional<String> failure) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update reconciliation_run set status = ?, failure = ?, finished_at = now() where id = ?
            returning
            """ + RunRows.RUN)) {
            s.setString(1, (failure.isPresent() ? Run.Status.FAILED : Run.Status.COMPLETED).name());
            s.setString(2, failure.orElse(null));
            s.setString(3, run);
            return one(s).orElseThrow(() -> new SQLException("the run " + run + " is gone"));
        }
    }

    @Override
    public void forget(Connection connection, Duration keep) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "delete from reconciliation_run where finished_at < now() - ? * interval '1 millisecond'")) {
            s.setLong(1, keep.toMillis());
            s.executeUpdate();
        }
    }

    private static Optional<Run> one(PreparedStatement s) throws SQLException {
        try (ResultSet r = s.executeQuery()) {
            return r.next() ? Optional.of(RunRows.run(r)) : Optional.empty();
        }
    }
}
