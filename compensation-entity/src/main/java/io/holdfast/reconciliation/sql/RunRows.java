package io.holdfast.reconciliation.sql;

import io.holdfast.reconciliation.Finding;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reconciliation.RecordedFinding;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunRequest;
import io.holdfast.reconciliation.RunRequest.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Rows of the tables as values. */
final class RunRows {

    static final String RUN = "id, scope, target, mode, full_pass, requested_by, status, requested_at, started_at,"
            + " finished_at, watermark, after_pool, taken_up, pools, unchanged, skipped, compared, postponed,"
            + " findings, repaired, failure, number";

    static final String FINDING = "id, run, pool, object, type, class, journal, redis, sequence_number, epoch,"
            + " redis_version, position, state, found_at, first_seen_at, settled_at, repair_id, outcome";

    private RunRows() {}

    static Run run(ResultSet r) throws SQLException {
        return new Run(
                r.getString("id"),
                new RunRequest(
                        scope(r.getString("scope"), r.getString("target")),
                        RunRequest.Mode.valueOf(r.getString("mode")),
                        r.getBoolean("full_pass"),
                        r.getString("requested_by")),
                Run.Status.valueOf(r.getString("status")),
                time(r, "requested_at").orElseThrow(),
                time(r, "started_at"),
                time(r, "finished_at"),
                time(r, "watermark"),
                r.getString("after_pool"),
                r.getInt("taken_up"),
                new Run.Counts(
                        r.getLong("pools"),
                        r.getLong("unchanged"),
                        r.getLong("skipped"),
                        r.getLong("compared"),
                        r.getLong("postponed"),
                        r.getLong("findings"),
                        r.getLong("repaired")),
                Optional.ofNullable(r.getString("failure")));
    }

    static RecordedFinding finding(ResultSet r) throws SQLException {
        return new RecordedFinding(
                r.getLong("id"),
                r.getString("run"),
                r.getString("pool"),
                new Finding(
                        r.getString("object"),
                        FindingType.valueOf(r.getString("type")),
                        FindingClass.valueOf(r.getString("class")),
                        new Finding.Evidence(
                                r.getString("journal"),
                                r.getString("redis"),
                                r.getLong("sequence_number"),
                                r.getLong("epoch"),
                                r.getLong("redis_version"),
                                r.getLong("position"))),
                RecordedFinding.State.valueOf(r.getString("state")),
                time(r, "found_at").orElseThrow(),
                time(r, "first_seen_at").orElseThrow(),
                time(r, "settled_at"),
                Optional.ofNullable(r.getString("repair_id")),
                Optional.ofNullable(r.getString("outcome")));
    }

    static String scope(Scope scope) {
        return switch (scope) {
            case Scope.OnePool _ -> "POOL";
            case Scope.Prefix _ -> "PREFIX";
            case Scope.All() -> "ALL";
        };
    }

    static String target(Scope scope) {
        return switch (scope) {
            case Scope.OnePool(String pool) -> pool;
            case Scope.Prefix(String prefix) -> prefix;
            case Scope.All() -> "";
        };
    }

    private static Scope scope(String name, String target) {
        return switch (name) {
            case "POOL" -> new Scope.OnePool(target);
            case "PREFIX" -> new Scope.Prefix(target);
            case "ALL" -> new Scope.All();
            default -> throw new IllegalArgumentException("not a scope: " + name);
        };
    }

    static Optional<Instant> time(ResultSet r, String column) throws SQLException {
        return Optional.ofNullable(r.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
