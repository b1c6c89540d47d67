package io.holdfast.reconciliation;

import io.holdfast.reservation.domain.PoolId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What this node has in memory of a run: the pools that come next, and those that are compared, in their order. */
final class RunInProgress {

    private static final int POOLS_READ = 100;
    /** Pools that wait, compared, until those before them are, for each that is compared. */
    private static final int WAITING_BEHIND = 4;

    private final Run run;
    private final JournalSide journals;
    private final int atOnce;
    private final Deque<PoolId> next = new ArrayDeque<>();
    private final Deque<PoolWork> open = new ArrayDeque<>();
    private String lastRead;
    private boolean allRead;
    private boolean anyRead;

    /** @param atOnce pools compared at a time */
    RunInProgress(Run run, JournalSide journals, int atOnce) {
        this.run = run;
        this.journals = journals;
        this.atOnce = atOnce;
        this.lastRead = run.afterPool();
    }

    /** A pool that is compared, or was and waits for its turn to be ended. */
    static final class PoolWork {
        private final Comparison comparison;
        private final long begun = System.nanoTime();
        private Optional<Repairs> repairs = Optional.empty();

        private PoolWork(Comparison comparison) {
            this.comparison = comparison;
        }

        Comparison comparison() {
            return comparison;
        }

        Optional<Repairs> repairs() {
            return repairs;
        }

        void repair(Repairs begin) {
            repairs = Optional.of(begin);
        }

        Duration took() {
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    /** The pool whose turn it is to be ended. */
    Optional<PoolWork> first() {
        return Optional.ofNullable(open.peekFirst());
    }

    /** It is ended. */
    void ended() {
        open.removeFirst();
    }

    /** Those at work. */
    List<PoolWork> comparing() {
        return open.stream().filter(work -> !work.comparison().done()).toList();
    }

    /** Whether there is nothing left to do. */
    boolean done() throws SQLException {
        return open.isEmpty() && following().isEmpty();
    }

    /** Why a run that is done has proved nothing, if it met no pool where whoever asked for it meant some. */
    Optional<String> failure() {
        // One that was taken up after its last pool reads none either.
        return run.request().scope() instanceof RunRequest.Scope.Prefix(String prefix)
                        && !anyRead
                        && run.afterPool().isEmpty()
                ? Optional.of("no pool is compared whose id begins with " + prefix
                        + "; there is none, it was made a moment ago, or it is archived")
                : Optional.empty();
    }

    /** A pool to begin with now, if there is room for one. */
    Optional<PoolId> room() throws SQLException {
        return comparing().size() < atOnce && open.size() < WAITING_BEHIND * atOnce ? following() : Optional.empty();
    }

    /** The one that {@link #room} named is begun. */
    void begin(Comparison comparison) {
        next.removeFirst();
        open.addLast(new PoolWork(comparison));
    }

    private Optional<PoolId> following() throws SQLException {
        while (next.isEmpty() && !allRead) {
            List<String> more = pools(run.request().scope(), lastRead);
            allRead = more.size() < POOLS_READ;
            anyRead |= !more.isEmpty();
            if (!more.isEmpty()) {
                lastRead = more.getLast();
            }
            next.addAll(ids(more));
        }
        return Optional.ofNullable(next.peekFirst());
    }

    private List<String> pools(RunRequest.Scope scope, String after) throws SQLException {
        return switch (scope) {
            case RunRequest.Scope.OnePool(String pool) -> pool.compareTo(after) > 0 ? List.of(pool) : List.of();
            case RunRequest.Scope.Prefix(String prefix) -> journals.pools(prefix, after, POOLS_READ);
            case RunRequest.Scope.All() -> journals.pools("", after, POOLS_READ);
        };
    }

    private static List<PoolId> ids(List<String> texts) {
        List<PoolId> ids = new ArrayList<>();
        texts.forEach(text -> ids.add(PoolId.parse(text)));
        return ids;
    }
}
