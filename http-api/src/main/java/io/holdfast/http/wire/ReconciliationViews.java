package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.reconciliation.RecordedFinding;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunDesk.Numbered;
import io.holdfast.reconciliation.RunRequest;
import io.holdfast.reconciliation.RunRequest.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Runs of reconciliation as they are shown. */
public final class ReconciliationViews {

    private ReconciliationViews() {}

    /**
     * A run.
     *
     * @param run its id
     * @param pool which one, if it is of one
     * @param prefix how the ids of its pools begin, if it is of some
     * @param all whether it is of all
     * @param watermark only what had not moved after this moment was judged; of the pool begun last
     * @param takenUp how often a node took it up
     * @param counts what came of it so far
     * @param findings what it found, a page of them; only where one run is read
     * @param next address of the next page of findings
     */
    public record RunView(
            String run,
            Optional<String> pool,
            Optional<String> prefix,
            boolean all,
            String mode,
            boolean full,
            String status,
            String requestedBy,
            Instant requestedAt,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            Optional<Instant> watermark,
            int takenUp,
            Run.Counts counts,
            Optional<String> failure,
            Optional<List<FindingView>> findings,
            Optional<String> next,
            String self) {}

    /**
     * A finding.
     *
     * @param reservationId where it is about a reservation
     * @param kind what may be done about it: REPAIR, WAIT, MANUAL
     * @param meaning of the type, in words
     * @param journal what the journals say
     * @param redis what Redis says
     * @param sequenceNumber of the entity's latest event, before and after Redis was read
     * @param position of the journal that the view had passed
     * @param firstSeenAt when the first of the runs found it that found it without a break
     */
    public record FindingView(
            long id,
            String pool,
            Optional<String> reservationId,
            String type,
            @JsonProperty("class") String kind,
            String meaning,
            String journal,
            String redis,
            long sequenceNumber,
            long epoch,
            long redisVersion,
            long position,
            String state,
            Instant foundAt,
            Instant firstSeenAt,
            Optional<Instant> settledAt,
            Optional<String> repairId,
            Optional<String> outcome) {}

    /** Runs, latest first. */
    public record RunList(List<RunView> runs, Optional<String> next) {}

    /** A run without its findings. */
    public static RunView of(Run run) {
        return view(run, Optional.empty(), Optional.empty());
    }

    /** A run with a page of its findings. */
    public static RunView of(Run run, List<RecordedFinding> findings, int limit) {
        return view(
                run,
                Optional.of(findings.stream().map(ReconciliationViews::of).toList()),
                findings.size() < limit
                        ? Optional.empty()
                        : Optional.of(Paths.reconciliation(run.id()) + "?limit=" + limit + "&after="
                                + findings.getLast().id()));
    }

    /** A page of runs. */
    public static RunList list(List<Numbered> runs, int limit) {
        return new RunList(
                runs.stream().map(one -> of(one.run())).toList(),
                runs.size() < limit
                        ? Optional.empty()
                        : Optional.of("/v1/reconciliations?limit=" + limit + "&before="
                                + runs.getLast().number()));
    }

    private static RunView view(Run run, Optional<List<FindingView>> findings, Optional<String> next) {
        Scope scope = run.request().scope();
        return new RunView(
                run.id(),
                scope instanceof Scope.OnePool(String pool) ? Optional.of(pool) : Optional.empty(),
                scope instanceof Scope.Prefix(String prefix) ? Optional.of(prefix) : Optional.empty(),
                scope instanceof Scope.All,
                mode(run.request().mode()),
                run.request().full(),
                run.status().name(),
                run.request().requestedBy(),
                run.requestedAt(),
                run.startedAt(),
                run.finishedAt(),
                run.watermark(),
                run.takenUp(),
                run.counts(),
                run.failure(),
                findings,
                next,
                Paths.reconciliation(run.id()));
    }

    private static String mode(RunRequest.Mode mode) {
        return switch (mode) {
            case DRY_RUN -> "dry-run";
            case REPAIR -> "repair";
        };
    }

    private static FindingView of(RecordedFinding recorded) {
        var finding = recorded.finding();
        var evidence = finding.evidence();
        return new FindingView(
                recorded.id(),
                recorded.pool(),
                finding.object().equals(recorded.pool()) ? Optional.empty() : Optional.of(finding.object()),
                finding.type().name(),
                finding.kind().name(),
                finding.type().explanation(),
                evidence.journal(),
                evidence.redis(),
                evidence.sequenceNumber(),
                evidence.epoch(),
                evidence.version(),
                evidence.position(),
                recorded.state().name(),
                recorded.foundAt(),
                recorded.firstSeenAt(),
                recorded.settledAt(),
                recorded.repairId(),
                recorded.outcome());
    }
}
