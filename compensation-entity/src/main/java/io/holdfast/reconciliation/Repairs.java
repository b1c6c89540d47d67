package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.Admission;
import io.holdfast.lua.Fence;
import io.holdfast.lua.PoolStatus;
import io.holdfast.reconciliation.Comparison.Numbers;
import io.holdfast.reconciliation.Comparison.Sides;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reconciliation.JournalSide.Viewed;
import io.holdfast.reconciliation.RecordedFinding.State;
import io.holdfast.reconciliation.RedisSide.Reading;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.entity.JournaledFences;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Puts right what one comparison found of one pool, one finding after the other. Each is looked at again first: what agrees by now is left
 * alone. A repair is an operation of the pool, based on one reading of Redis: the pool journals it, and Redis does it only if neither the
 * numbers nor the fence have moved since. One that lost this race three times has the pool take no new holds for one check.
 */
final class Repairs {

    private static final int RACES = 3;
    private static final int PAGE = 100;
    private static final Duration ASKING = Duration.ofSeconds(10);
    /** How long a pool may take to freeze, compare and load itself anew before the run goes on without it. */
    private static final Duration HANDED_OVER = Duration.ofSeconds(60);

    private final Run run;
    private final PoolId pool;
    private final Optional<Numbers> numbers;
    private final Sides sides;
    private final RunStore store;
    private final InstantSource clock;

    private final Deque<RecordedFinding> waiting = new ArrayDeque<>();
    private Optional<HandedOver> handedOver = Optional.empty();
    private long after;
    private boolean begun;
    private boolean allRead;
    private boolean done;
    private long repaired;

    /** A finding that the pool mends by itself. */
    private record HandedOver(RecordedFinding finding, long sequenceNumber, long until) {}

    /** @param numbers what the pool's numbers must be, where the comparison found them to differ */
    Repairs(Run run, PoolId pool, Optional<Numbers> numbers, Sides sides, RunStore store, InstantSource clock) {
        this.run = run;
        this.pool = pool;
        this.numbers = numbers;
        this.sides = sides;
        this.store = store;
        this.clock = clock;
    }

    boolean done() {
        return done;
    }

    long repaired() {
        return repaired;
    }

    /** One finding, or one look at how the pool mends itself. */
    void step(Connection connection) throws SQLException {
        if (handedOver.isPresent()) {
            look(connection, handedOver.get());
            return;
        }
        if (!begun) {
            // What is loaded anew is right: whatever else was found of it is looked at after that.
            begun = true;
            store.ofPool(connection, run.id(), pool.value(), FindingType.TOO_MANY)
                    .ifPresent(waiting::add);
        }
        if (waiting.isEmpty() && !allRead) {
            List<RecordedFinding> page = store.repairable(connection, run.id(), pool.value(), after, PAGE);
            waiting.addAll(page);
            allRead = page.size() < PAGE;
            if (!page.isEmpty()) {
                after = page.getLast().id();
            }
        }
        RecordedFinding finding = waiting.poll();
        if (finding == null) {
            done = true;
            return;
        }
        try {
            repair(connection, finding);
        } catch (CannotCompare e) {
            leave(connection, finding, String.valueOf(e.getMessage()));
        }
    }

    private void repair(Connection connection, RecordedFinding finding) throws SQLException {
        switch (finding.finding().type()) {
            case FENCE_MISSING, FENCE_BEHIND, FENCE_DIFFERS, FENCE_LEFT_OVER ->
                raced(connection, finding, () -> fence(finding));
            case NUMBERS_DIFFER -> {
                if (numbers.isPresent()) {
                    raced(connection, finding, () -> numbers(finding, numbers.get()));
                } else {
                    leave(connection, finding, "what the numbers must be is not known");
                }
            }
            case POOL_LOST, TOO_MANY -> handOver(connection, finding);
            case FENCE_UNKNOWN -> letIn(connection, finding);
            case FENCE_AHEAD,
                    FENCE_ENDED_OTHERWISE,
                    FENCE_UNREADABLE,
                    LEDGER_INCOMPLETE,
                    LEDGER_DIFFERS,
                    NOT_COMPARED -> leave(connection, finding, "no rule repairs this");
        }
    }

    // ---- what a gate let in

    /** Handed over, not taken back: the user was told that it is queued. */
    private void letIn(Connection connection, RecordedFinding finding) throws SQLException {
        String id = finding.finding().object();
        Optional<Sale> sale = look().state().sale();
        Optional<Admission> admission =
                sides.redis().readings(pool, List.of(id)).getFirst() instanceof Reading.Read read
                                && unfit(read).isEmpty()
                        ? read.fence().flatMap(AdmittedFence::admission)
                        : Optional.empty();
        if (sale.isEmpty() || admission.isEmpty()) {
            leave(connection, finding, "its fence does not say any more how it came in");
            return;
        }
        Outcome<Reservation> outcome =
                Waiting.answer(sides.gates().handOver(pool, sale.get(), id, admission.get()), ASKING);
        switch (outcome) {
            case Outcome.Known<Reservation> _ -> {
                repaired++;
                store.settle(
                        connection, finding, State.REPAIRED, Optional.empty(), "it was handed over to its reservation");
                sides.listener()
                        .repaired(finding.finding().type(), Duration.between(finding.firstSeenAt(), clock.instant()));
            }
            case Outcome.Unknown<Reservation>(String why) -> leave(connection, finding, "its reservation: " + why);
            case Outcome.Unavailable<Reservation>(String why) -> leave(connection, finding, "its reservation: " + why);
        }
    }

    // ---- races

    /** One attempt at a repair. */
    private sealed interface Attempt {
        /** Done, under this operation of the pool. */
        record Repaired(String repairId) implements Attempt {}

        /** Both sides agree by now. */
        record Agrees() implements Attempt {}

        /** The pool or the fence moved before the repair. */
        record Lost(Optional<String> repairId) implements Attempt {}

        /** It is not to be repaired, or not now. */
        record Left(Optional<String> repairId, String why) implements Attempt {}
    }

    @FunctionalInterface
    private interface Try {
        Attempt attempt() throws SQLException;
    }

    private void raced(Connection connection, RecordedFinding finding, Try repair) throws SQLException {
        Attempt last = race(repair);
        if (last instanceof Attempt.Lost) {
            last = undisturbed(connection, repair);
        }
        switch (last) {
            case Attempt.Repaired(String repairId) -> {
                repaired++;
                store.settle(connection, finding, State.REPAIRED, Optional.of(repairId), "put right");
                sides.listener()
                        .repaired(finding.finding().type(), Duration.between(finding.firstSeenAt(), clock.instant()));
            }
            case Attempt.Agrees() ->
                store.settle(connection, finding, State.GONE, Optional.empty(), "both sides agree by now");
            case Attempt.Lost(Optional<String> repairId) -> {
                store.note(
                        connection,
                        finding,
                        repairId,
                        "the pool moved before every attempt, also while it took no new holds");
            }
            case Attempt.Left(Optional<String> repairId, String why) -> {
                store.note(connection, finding, repairId, why);
            }
        }
    }

    private Attempt race(Try repair) throws SQLException {
        Attempt last = repair.attempt();
        for (int lost = 1; last instanceof Attempt.Lost && lost < RACES; lost++) {
            sides.listener().raceLost();
            last = repair.attempt();
        }
        if (last instanceof Attempt.Lost) {
            sides.listener().raceLost();
        }
        return last;
    }

    /** The same once more, while the pool takes no new holds. That it does is kept before it is asked for: whoever takes over resumes it. */
    private Attempt undisturbed(Connection connection, Try repair) throws SQLException {
        String operation = "reconcile-" + run.id() + "-" + sequenceNumber();
        boolean pausedByUs = isOpen(look().state());
        if (pausedByUs) {
            store.pausing(connection, run.id(), pool.value(), operation);
            sides.listener().paused(pool.value());
            tell(new PoolOperation.Pause(operation));
        }
        try {
            return race(repair);
        } finally {
            if (pausedByUs) {
                resume(connection, store, sides, run.id(), pool, operation);
            }
        }
    }

    private long sequenceNumber() {
        return look().sequenceNumber();
    }

    private static boolean isOpen(StockPool state) {
        return state.status() == StockPool.Status.OPEN;
    }

    /** Lets a pool take new holds again, unless somebody else has paused it, or closed it, since. */
    static void resume(Connection connection, RunStore store, Sides sides, String run, PoolId pool, String pausedBy)
            throws SQLException {
        Reply<StockPool> reply = sides.look(pool);
        boolean ours = reply.state()
                .trusted()
                .filter(kept -> lastPause(kept).filter(pausedBy::equals).isPresent())
                .isPresent();
        if (ours) {
            tell(sides, run, pool, new PoolOperation.Resume(pausedBy + "-end"));
        }
        store.resumed(connection, pool.value());
    }

    private static Optional<String> lastPause(StockPool.Trusted state) {
        Optional<String> waiting = state.work().queue().stream()
                .filter(PoolOperation.Pause.class::isInstance)
                .map(PoolOperation::operationId)
                .reduce((_, later) -> later);
        return waiting.or(() -> state.work().settled().values().stream()
                .filter(settled -> settled.operation() instanceof PoolOperation.Pause
                        && settled.refusal().isEmpty())
                .map(settled -> settled.operation().operationId())
                .reduce((_, later) -> later));
    }

    // ---- one fence

    private Attempt fence(RecordedFinding finding) throws SQLException {
        String id = finding.finding().object();
        Optional<Viewed> before = viewed(id);
        Reading reading = sides.redis().readings(pool, List.of(id)).getFirst();
        if (sides.journals().passedNow().isEmpty()) {
            throw new CannotCompare("the view has not caught up");
        }
        Optional<Viewed> then = viewed(id);
        if (before.isEmpty() || !before.equals(then)) {
            return new Attempt.Lost(Optional.empty());
        }
        if (!(reading instanceof Reading.Read read)) {
            return new Attempt.Left(Optional.empty(), "Redis can't be read: " + reading);
        }
        Optional<String> unfit = unfit(read);
        if (unfit.isPresent()) {
            return new Attempt.Left(Optional.empty(), unfit.get());
        }
        Reservation reservation = before.get().state();
        return switch (FenceRule.judge(reservation, read.fence())) {
            case Judgement.Agrees _ -> new Attempt.Agrees();
            case Judgement.Differs differs ->
                differs.kind() == FindingClass.REPAIR
                        ? ask(
                                differs.type(),
                                id,
                                read.books(),
                                target(read.books()),
                                Optional.of(fence(reservation, read)))
                        : new Attempt.Left(Optional.empty(), "by now it is " + differs.type() + ", " + differs.kind());
        };
    }

    private static FenceRepair fence(Reservation reservation, Reading.Read read) {
        return new FenceRepair(reservation.id(), read.fence().map(Repairs::seen), JournaledFences.of(reservation));
    }

    private static FenceRepair.Seen seen(Fence fence) {
        return new FenceRepair.Seen(
                FenceRepair.Phase.valueOf(fence.phase().name()),
                fence.quantity(),
                fence.confirmed(),
                fence.released(),
                fence.refunded());
    }

    private Optional<Viewed> viewed(String id) throws SQLException {
        Map<String, Viewed> shown = sides.journals().byId(List.of(id));
        return Optional.ofNullable(shown.get(id));
    }

    // ---- the numbers

    private Attempt numbers(RecordedFinding finding, Numbers found) {
        if (!(sides.redis().pool(pool) instanceof Reading.Read read)) {
            return new Attempt.Left(Optional.empty(), "the numbers can't be read");
        }
        Optional<String> unfit = unfit(read);
        if (unfit.isPresent()) {
            return new Attempt.Left(Optional.empty(), unfit.get());
        }
        if (read.books().epoch() != found.actual().epoch()) {
            return new Attempt.Agrees();
        }
        Books target = corrected(read.books(), found);
        if (target.reserved() < 0 || target.sold() < 0) {
            return new Attempt.Left(Optional.empty(), "they moved on in a way that the difference does not explain");
        }
        return target.sameNumbers(read.books())
                ? new Attempt.Agrees()
                : ask(finding.finding().type(), pool.value(), read.books(), target, Optional.empty());
    }

    /** What every operation since has moved, it has moved on both sides: the difference is the same. */
    private Books corrected(Books now, Numbers found) {
        long total = look().state().totals().map(StockPool.Baseline::total).orElse(now.total());
        return Books.expected(
                now.epoch(),
                now.version() + 1,
                total,
                now.reserved() + found.expected().reserved() - found.actual().reserved(),
                now.sold() + found.expected().sold() - found.actual().sold());
    }

    /** Numbers beside a fence: as they are, or put right with it where they don't even add up. */
    private Books target(Books now) {
        Books same = new Books(
                now.epoch(),
                now.version() + 1,
                now.total(),
                now.deficit(),
                now.available(),
                now.reserved(),
                now.sold());
        return same.balanced()
                ? same
                : numbers.map(found -> corrected(now, found)).orElse(same);
    }

    // ---- asking the pool

    private Attempt ask(FindingType rule, String object, Books seen, Books target, Optional<FenceRepair> fence) {
        if (!target.balanced()) {
            return new Attempt.Left(Optional.empty(), "the numbers don't add up, and what they must be is not known");
        }
        String id = RepairId.of(
                rule,
                object,
                seen.epoch() + "." + seen.version(),
                Comparison.text(target) + fence.map(one -> "; " + one).orElse(""));
        return switch (tell(new PoolOperation.Repair(id, rule.name(), seen, target, fence))) {
            case Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply) ->
                switch (reply.verdict()) {
                    case Verdict.Done() -> new Attempt.Repaired(id);
                    case Verdict.Pending() ->
                        new Attempt.Left(Optional.of(id), "the pool has accepted the repair and goes on by itself");
                    case Verdict.Refused(var reason) ->
                        reason == StockPoolRefusal.REPAIR_OVERTAKEN
                                ? new Attempt.Lost(Optional.of(id))
                                : new Attempt.Left(Optional.of(id), "the pool refused it: " + reason.code());
                };
            case Outcome.Unknown<Reply<StockPool>>(String why) ->
                new Attempt.Left(Optional.of(id), "the pool did not answer: " + why);
            case Outcome.Unavailable<Reply<StockPool>>(String why) ->
                new Attempt.Left(Optional.of(id), "the pool could not be asked: " + why);
        };
    }

    private Outcome<Reply<StockPool>> tell(PoolOperation operation) {
        return tell(sides, run.id(), pool, operation);
    }

    private static Outcome<Reply<StockPool>> tell(Sides sides, String run, PoolId pool, PoolOperation operation) {
        return told(sides, run, pool, "reconcile-" + operation.operationId(), operation);
    }

    private static Outcome<Reply<StockPool>> told(
            Sides sides, String run, PoolId pool, String causeId, StockPoolCommand command) {
        var cause = new Cause(causeId, "", Cause.Kind.REQUEST, "reconciliation " + run, Optional.empty());
        return Waiting.answer(sides.pools().ask(pool.value(), cause, command, ASKING), ASKING.multipliedBy(2));
    }

    private Reply<StockPool> look() {
        return sides.look(pool);
    }

    private static Optional<String> unfit(Reading.Read read) {
        return read.trusted() && read.status() != PoolStatus.ARCHIVED
                ? Optional.empty()
                : Optional.of("Redis does not serve the pool now: " + read.status());
    }

    // ---- what the pool mends by itself

    /** A pool that is frozen compares itself with its journals, and is loaded anew where they differ. */
    private void handOver(Connection connection, RecordedFinding finding) throws SQLException {
        Reply<StockPool> reply = look();
        String why =
                finding.finding().type() + ": " + finding.finding().evidence().redis();
        told(
                sides,
                run.id(),
                pool,
                "reconcile-" + run.id() + "-" + finding.id(),
                new StockPoolCommand.Suspect(why, OptionalLong.empty()));
        store.note(connection, finding, Optional.empty(), "the pool compares itself and is loaded anew");
        handedOver =
                Optional.of(new HandedOver(finding, reply.sequenceNumber(), System.nanoTime() + HANDED_OVER.toNanos()));
    }

    private void look(Connection connection, HandedOver over) throws SQLException {
        try {
            Reply<StockPool> reply = look();
            if (reply.sequenceNumber() > over.sequenceNumber() && reply.state() instanceof StockPool.Trusted) {
                repaired++;
                handedOver = Optional.empty();
                store.settle(connection, over.finding(), State.REPAIRED, Optional.empty(), "the pool compared itself");
                sides.listener()
                        .repaired(
                                over.finding().finding().type(),
                                Duration.between(over.finding().firstSeenAt(), clock.instant()));
                return;
            }
        } catch (CannotCompare e) {
            store.note(connection, over.finding(), Optional.empty(), String.valueOf(e.getMessage()));
        }
        if (System.nanoTime() - over.until() >= 0) {
            handedOver = Optional.empty();
        }
    }

    private void leave(Connection connection, RecordedFinding finding, String why) throws SQLException {
        store.note(connection, finding, Optional.empty(), why);
    }
}
