package io.holdfast.http.route;

import io.holdfast.reconciliation.RecordedFinding;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunDesk;
import io.holdfast.reconciliation.RunRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs that nobody carries out, with the findings a test gives them. */
final class InMemoryRuns implements RunDesk {

    private final List<Run> runs = new ArrayList<>();
    final List<RecordedFinding> findings = new ArrayList<>();

    @Override
    public synchronized Asked ask(String id, RunRequest request) {
        Run run = find(id).orElseGet(() -> {
            Run begun = new Run(
                    id,
                    request,
                    Run.Status.QUEUED,
                    Instant.parse("2026-11-29T12:00:00Z"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    0,
                    Run.Counts.NONE,
                    Optional.empty());
            runs.add(begun);
            return begun;
        });
        return run.request().equals(request) ? new Asked.Begun(run) : new Asked.Reused();
    }

    @Override
    public synchronized Optional<Run> find(String id) {
        return runs.stream().filter(run -> run.id().equals(id)).findFirst();
    }

    @Override
    public synchronized List<Numbered> list(long before, int limit) {
        List<Numbered> latest = new ArrayList<>();
        for (int i = runs.size(); i >= 1 && latest.size() < limit; i--) {
            if (before == 0 || i < before) {
                latest.add(new Numbered(i, runs.get(i - 1)));
            }
        }
        return latest;
    }

    @Override
    public synchronized List<RecordedFinding> findings(String run, long after, int limit) {
        return findings.stream()
                .filter(finding -> finding.run().equals(run) && finding.id() > after)
                .limit(limit)
                .toList();
    }
}
