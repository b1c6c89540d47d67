package io.holdfast.reconciliation.sql;

import io.holdfast.reconciliation.RecordedFinding;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunDesk;
import io.holdfast.reconciliation.RunRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Asks for runs and reads them in their tables. */
public final class Reconciliations implements RunDesk {

    private final DataSource database;

    /** @param database the read side's own pool */
    public Reconciliations(DataSource database) {
        this.database = database;
    }

    /**
     * How many there are, fleet-wide: what the latest comparison of each pool came to, and what waits.
     *
     * @param comparedPools those that the latest run that looked at them could compare
     * @param notComparedPools those that it could not, archived ones left out
     */
    public record Standing(
            long comparedPools,
            long consistentPools,
            long notComparedPools,
            long oversellable,
            long undersold,
            long oversold,
            long openFindings,
            Optional<Double> oldestFindingSeconds,
            Optional<Double> oldestComparisonSeconds,
            Optional<Double> watermarkLagSeconds,
            long waitingRuns) {}

    @Override
    public Asked ask(String id, RunRequest request) throws SQLException {
        try (Connection c = database.getConnection()) {
            try (PreparedStatement s = c.prepareStatement("""
                insert into reconciliation_run (id, scope, target, mode, full_pass, requested_by)
                values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing
                """)) {
                s.setString(1, id);
                s.setString(2, RunRows.scope(request.scope()));
                s.setString(3, RunRows.target(request.scope()));
                s.setString(4, request.mode().name());
                s.setBoolean(5, request.full());
                s.setString(6, request.requestedBy());
                s.executeUpdate();
            }
            Run run = find(c, id).orElseThrow(() -> new SQLException("the run " + id + " is gone"));
            return run.request().equals(request) ? new Asked.Begun(run) : new Asked.Reused();
        }
    }

    @Override
    public Optional<Run> find(String id) throws SQLException {
        try (Connection c = database.getConnection()) {
            return find(c, id);
        }
    }

    private static Optional<Run> find(Connection c, String id) throws SQLException {
        try (PreparedStatement s =
                c.prepareStatement("select " + RunRows.RUN + " from reconciliation_run where id = ?")) {
            s.setString(1, id);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(RunRows.run(r)) : Optional.empty();
            }
        }
    }

    @Override
    public List<Numbered> list(long before, int limit) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select " + RunRows.RUN
                        + " from reconciliation_run where ? = 0 or number < ? order by number desc limit ?")) {
            s.setLong(1, before);
            s.setLong(2, before);
            s.setInt(3, limit);
            try (ResultSet r = s.executeQuery()) {
                List<Numbered> runs = new ArrayList<>();
                while (r.next()) {
                    runs.add(new Numbered(r.getLong("number"), RunRows.run(r)));
                }
                return runs;
            }
        }
    }

    @Override
    public List<RecordedFinding> findings(String run, long after, int limit) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select " + RunRows.FINDING
                        + " from reconciliation_finding where run = ? and id > ? order by id limit ?")) {
            s.setString(1, run);
            s.setLong(2, after);
            s.setInt(3, limit);
            try (ResultSet r = s.executeQuery()) {
                List<RecordedFinding> findings = new ArrayList<>();
                while (r.next()) {
                    findings.add(RunRows.finding(r));
                }
                return findings;
            }
        }
    }

    /** For whoever measures. */
    public Standing standing() throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    select p.compared, p.consistent, p.not_compared, p.oversellable, p.undersold, p.oversold, f.findings,
                           extract(epoch from now() - f.oldest), extract(epoch from now() - p.oldest),
                           extract(epoch from now() - r.watermark), r.waiting
                    from (select count(*) filter (where consistent is not null) as compared,
                                 count(*) filter (where consistent) as consistent,
                                 count(*) filter (where consistent is null and exists (
                                     select from pool_view v where v.pool = reconciliation_pool.pool
                                     and v.status not in ('NEW', 'ARCHIVED'))) as not_compared,
                                 coalesce(sum(oversellable), 0) as oversellable,
                                 coalesce(sum(undersold), 0) as undersold,
                                 coalesce(sum(oversold), 0) as oversold,
                                 min(completed_at) as oldest from reconciliation_pool) p,
                         (select count(distinct (pool, object, type)) as findings, min(first_seen_at) as oldest
                          from reconciliation_finding where state = 'OPEN' and type <> 'NOT_COMPARED') f,
                         (select max(watermark) as watermark,
                                 count(*) filter (where status in ('QUEUED', 'RUNNING')) as waiting
                          from reconciliation_run) r
                    """);
                ResultSet r = s.executeQuery()) {
            r.next();
            return new Standing(
                    r.getLong(1),
                    r.getLong(2),
                    r.getLong(3),
                    r.getLong(4),
                    r.getLong(5),
                    r.getLong(6),
                    r.getLong(7),
                    seconds(r, 8),
                    seconds(r, 9),
                    seconds(r, 10),
                    r.getLong(11));
        }
    }

    private static Optional<Double> seconds(ResultSet r, int column) throws SQLException {
        double value = r.getDouble(column);
        return r.wasNull() ? Optional.empty() : Optional.of(value);
    }
}
