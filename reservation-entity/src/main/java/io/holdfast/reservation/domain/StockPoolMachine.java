package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.StockPoolRefusal.ALREADY_INITIALIZED;
import static io.holdfast.reservation.domain.StockPoolRefusal.BASELINE_CHANGED;
import static io.holdfast.reservation.domain.StockPoolRefusal.BUCKET_TAKEN;
import static io.holdfast.reservation.domain.StockPoolRefusal.NOT_CLOSED;
import static io.holdfast.reservation.domain.StockPoolRefusal.NOT_SUSPECT;
import static io.holdfast.reservation.domain.StockPoolRefusal.OPERATION_ID_REUSED;
import static io.holdfast.reservation.domain.StockPoolRefusal.OPERATION_MALFORMED;
import static io.holdfast.reservation.domain.StockPoolRefusal.PART_OF_SALE;
import static io.holdfast.reservation.domain.StockPoolRefusal.POOL_ARCHIVED;
import static io.holdfast.reservation.domain.StockPoolRefusal.POOL_CLOSED;
import static io.holdfast.reservation.domain.StockPoolRefusal.POOL_ID_MALFORMED;
import static io.holdfast.reservation.domain.StockPoolRefusal.POOL_UNKNOWN;
import static io.holdfast.reservation.domain.StockPoolRefusal.REPAIR_OVERTAKEN;
import static io.holdfast.reservation.domain.StockPoolRefusal.TOO_MANY_OPERATIONS;
import static io.holdfast.reservation.domain.StockPoolRefusal.UNITS_SHORT;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Give;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Receive;
import io.holdfast.reservation.domain.PoolOperation.Repair;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.StockPool.Archived;
import io.holdfast.reservation.domain.StockPool.Baseline;
import io.holdfast.reservation.domain.StockPool.Closed;
import io.holdfast.reservation.domain.StockPool.Initializing;
import io.holdfast.reservation.domain.StockPool.New;
import io.holdfast.reservation.domain.StockPool.Open;
import io.holdfast.reservation.domain.StockPool.Rebuilding;
import io.holdfast.reservation.domain.StockPool.Settled;
import io.holdfast.reservation.domain.StockPool.Suspect;
import io.holdfast.reservation.domain.StockPool.Trusted;
import io.holdfast.reservation.domain.StockPool.Work;
import io.holdfast.reservation.domain.StockPoolCommand.AnsweredUnder;
import io.holdfast.reservation.domain.StockPoolCommand.BeginOpening;
import io.holdfast.reservation.domain.StockPoolCommand.Contradicted;
import io.holdfast.reservation.domain.StockPoolCommand.Finding;
import io.holdfast.reservation.domain.StockPoolCommand.KeysExpire;
import io.holdfast.reservation.domain.StockPoolCommand.OperationDone;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolCommand.Rebuild;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildResult;
import io.holdfast.reservation.domain.StockPoolCommand.UnitsTaken;
import io.holdfast.reservation.domain.StockPoolCommand.VerificationAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.Verify;
import io.holdfast.reservation.domain.StockPoolCommand.WakeUp;
import io.holdfast.reservation.domain.StockPoolEffect.AdjustPool;
import io.holdfast.reservation.domain.StockPoolEffect.AdjustPool.Bound;
import io.holdfast.reservation.domain.StockPoolEffect.ArchivePool;
import io.holdfast.reservation.domain.StockPoolEffect.DeliverUnits;
import io.holdfast.reservation.domain.StockPoolEffect.InitPool;
import io.holdfast.reservation.domain.StockPoolEffect.LetKeysGo;
import io.holdfast.reservation.domain.StockPoolEffect.RebuildPool;
import io.holdfast.reservation.domain.StockPoolEffect.RepairPool;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.domain.StockPoolEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.StockPoolEvent.KeysLetGo;
import io.holdfast.reservation.domain.StockPoolEvent.OpeningBegun;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.OperationRefused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolArchived;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.PoolReopened;
import io.holdfast.reservation.domain.StockPoolEvent.PoolResumed;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.StockRepaired;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.UnitsDelivered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationStarted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything that changes a pool without an order: created, adjusted, paused, resumed, closed, archived, frozen when Redis can't be
 * believed, and loaded anew when it is wrong.
 * Each change is first accepted, then owed to Redis, then recorded with what Redis answered; one at a time, in order of arrival.
 */
public final class StockPoolMachine implements Machine<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> {

    /** Name of the machine: first part of the persistence id. */
    public static final String NAME = "stock-pool";

    /** Operations in flight and waiting that a pool takes. */
    static final int LONGEST_QUEUE = 64;

    /** Epoch of a pool that was never rebuilt. */
    static final long FIRST_EPOCH = 1;

    private static final long FIRST_BASELINE = 1;

    private static final String REBUILD_ASKED_FOR = "a rebuild was asked for";

    private final EffectPolicies policies;

    /** @param policies how what it owes is attempted */
    public StockPoolMachine(EffectPolicies policies) {
        this.policies = Objects.requireNonNull(policies);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StockPool initial(String entityId) {
        return new New(entityId, Work.NONE);
    }

    @Override
    public StockPoolCommand wakeUp() {
        return new WakeUp();
    }

    @Override
    public StockPoolCommand contradicted(String causeId) {
        return new Contradicted(causeId);
    }

    // ---- decide

    @Override
    public Decision<StockPoolEvent> decide(StockPool state, StockPoolCommand command, Instant now) {
        return switch (command) {
            case PoolOperation operation -> operate(state, operation);
            case OperationDone(String id, Books books) -> done(state, id, books);
            case OperationTurnedDown(String id, StockPoolRefusal reason) -> turnedDown(state, id, reason);
            case UnitsTaken(String id) ->
                leaves(state, id) ? Decision.accept(new UnitsDelivered(id)) : Decision.repeat();
            case BeginOpening(long number, String attempt) ->
                owesOpening(state, number) ? Decision.accept(new OpeningBegun(number, attempt)) : Decision.repeat();
            case KeysExpire(Instant goneBy) ->
                state instanceof Archived archived && archived.goneBy().isEmpty()
                        ? Decision.accept(new KeysLetGo(goneBy))
                        : Decision.repeat();
            case StockPoolCommand.Suspect(String evidence, OptionalLong epoch) ->
                isOld(state, epoch) ? Decision.repeat() : suspect(state, evidence);
            case Verify(Optional<String> unserved) -> verify(state, unserved);
            case VerificationAnswered(long number, Finding finding) -> verified(state, number, finding, now);
            case Rebuild() -> rebuild(state);
            case RebuildAnswered(long number, RebuildResult result) -> rebuilt(state, number, result, now);
            case WakeUp() -> woken(state, now);
            case Contradicted(String causeId) -> Decision.accept(new ContradictionNoticed(causeId));
            case AnsweredUnder(long generation, StockPoolCommand outcome) ->
                generation == generation(state) ? decide(state, outcome, now) : Decision.repeat();
        };
    }

    private static boolean owesOpening(StockPool state, long number) {
        return switch (state) {
            case Suspect suspect ->
                suspect.verification() == number && suspect.nextAt().isEmpty();
            case Rebuilding rebuilding -> rebuilding.number() == number;
            case New _, Trusted _, Archived _ -> false;
        };
    }

    /** Whether the units of this move have left the pool and are on their way. */
    private static boolean leaves(StockPool state, String operationId) {
        return state instanceof Trusted trusted && isLeaving(trusted.work(), operationId);
    }

    private static boolean isLeaving(Work work, String operationId) {
        return work.leaving()
                .filter(give -> give.operationId().equals(operationId))
                .isPresent();
    }

    private static long generation(StockPool state) {
        return switch (state) {
            case New fresh -> fresh.work().verifications();
            case Trusted trusted -> trusted.work().verifications();
            case Archived archived -> archived.work().verifications();
            case Suspect suspect -> suspect.verification();
            case Rebuilding rebuilding -> rebuilding.number();
        };
    }

    /** Whether something was seen under an earlier epoch than the pool's: it is of a Redis that is not asked any more. */
    private static boolean isOld(StockPool state, OptionalLong seenUnder) {
        return seenUnder.isPresent()
                && state.trusted()
                        .filter(kept -> seenUnder.getAsLong() < epoch(kept))
                        .isPresent();
    }

    private static Decision<StockPoolEvent> operate(StockPool state, PoolOperation operation) {
        // It would hold up all that come after it.
        if (!Ids.isOperationKey(operation.operationId())) {
            return Decision.refuse(OPERATION_MALFORMED);
        }
        return switch (state) {
            case New fresh -> operateUnknown(fresh, operation);
            case Trusted trusted -> operateKnown(trusted, operation);
            case Archived archived -> operateArchived(archived, operation);
            case Suspect suspect -> operateKnown(suspect.kept(), operation);
            case Rebuilding rebuilding -> operateKnown(rebuilding.kept(), operation);
        };
    }

    /** What has ended is as it is: asked for that again, it is so; nothing else is possible, so nothing else is recorded. */
    private static Decision<StockPoolEvent> operateArchived(Archived state, PoolOperation operation) {
        return switch (verdict(state, operation)) {
            case Verdict.Done(), Verdict.Pending() -> Decision.repeat();
            case Verdict.Refused(Refusal reason) ->
                state.work().ended(operation.operationId()).isPresent() && reason != OPERATION_ID_REUSED
                        ? Decision.repeat()
                        : Decision.refuse(reason);
        };
    }

    private static Decision<StockPoolEvent> operateUnknown(New state, PoolOperation operation) {
        Optional<Settled> before = state.work().ended(operation.operationId());
        if (before.isPresent()) {
            return before.get().operation().asksTheSame(operation)
                    ? Decision.repeat()
                    : Decision.refuse(OPERATION_ID_REUSED);
        }
        return switch (operation) {
            case Init _ ->
                isPoolId(state.id())
                        ? Decision.accept(new OperationAccepted(operation))
                        : Decision.refuse(POOL_ID_MALFORMED);
            case Adjust _, Give _, Receive _, Pause _, Resume _, Close _, Archive _, Repair _ ->
                Decision.refuse(POOL_UNKNOWN);
        };
    }

    private static boolean isPoolId(String id) {
        try {
            PoolId.parse(id);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static Decision<StockPoolEvent> operateKnown(Trusted state, PoolOperation operation) {
        Optional<PoolOperation> before = known(state, operation.operationId());
        if (before.isPresent()) {
            return before.get().asksTheSame(operation) ? Decision.repeat() : Decision.refuse(OPERATION_ID_REUSED);
        }
        if (operation instanceof Init init) {
            return createdBy(state, init) ? Decision.repeat() : Decision.refuse(ALREADY_INITIALIZED);
        }
        if (operation instanceof Receive receive && state.work().moves().has(receive)) {
            return Decision.repeat();
        }
        if (operation instanceof Give give && RecentMoves.isOutOfSight(give, baseline(state))) {
            return Decision.refuse(BASELINE_CHANGED);
        }
        if (state.work().queue().isEmpty()) {
            Optional<StockPoolRefusal> no = refusal(state, operation);
            if (no.isPresent()) {
                // Recorded, since a later baseline may be the one it expects: an id that ended stays ended.
                return new Decision.Refuse<>(
                        no.get(),
                        List.of(
                                new OperationAccepted(operation),
                                new OperationRefused(operation.operationId(), no.get())));
            }
        }
        // What another pool has given has nowhere else to go.
        if (state.work().queue().size() >= LONGEST_QUEUE && !(operation instanceof Receive)) {
            return Decision.refuse(TOO_MANY_OPERATIONS);
        }
        return Decision.accept(new OperationAccepted(operation));
    }

    private static Optional<PoolOperation> known(Trusted state, String operationId) {
        return state.work()
                .ended(operationId)
                .map(Settled::operation)
                .or(() -> state.work().waiting(operationId));
    }

    /** Whether the pool was created, or is being, as this asks for. */
    private static boolean createdBy(StockPool state, Init init) {
        return state.created().filter(init::createsTheSame).isPresent();
    }

    /** Why an operation whose turn has come can't happen; Redis need not be asked. */
    private static Optional<StockPoolRefusal> refusal(Trusted state, PoolOperation operation) {
        return switch (state) {
            case Initializing _ -> Optional.empty();
            case Open open ->
                switch (operation) {
                    case Adjust adjust -> unadjustable(open, adjust);
                    case Give give -> ungiven(open, give);
                    case Archive _ -> Optional.of(NOT_CLOSED);
                    case Repair repair -> overtaken(open, repair);
                    case Init _, Receive _, Pause _, Resume _, Close _ -> Optional.empty();
                };
            case Closed closed ->
                switch (operation) {
                    case Adjust _, Give _, Pause _, Resume _ -> Optional.of(POOL_CLOSED);
                    case Repair repair -> overtaken(closed, repair);
                    case Init _, Receive _, Close _, Archive _ -> Optional.empty();
                };
        };
    }

    private static Optional<StockPoolRefusal> unadjustable(Open state, Adjust adjust) {
        if (state.buckets().filter(bucket -> !bucket.isFirst()).isPresent()) {
            return Optional.of(PART_OF_SALE);
        }
        OptionalLong expected = adjust.expectedBaselineVersion();
        if (expected.isPresent() && expected.getAsLong() != state.baseline().version()) {
            return Optional.of(BASELINE_CHANGED);
        }
        return state.totalAfter(adjust) < 0 ? Optional.of(UNITS_SHORT) : Optional.empty();
    }

    private static Optional<StockPoolRefusal> ungiven(Open state, Give give) {
        if (state.buckets()
                .filter(bucket -> bucket.reaches(state.pool(), give.to()))
                .isEmpty()) {
            return Optional.of(OPERATION_MALFORMED);
        }
        return state.totalAfter(give) < 0 ? Optional.of(UNITS_SHORT) : Optional.empty();
    }

    /** A rebuild or an adjustment came between. Redis tells by the version whether anything else did. */
    private static Optional<StockPoolRefusal> overtaken(Trusted state, Repair repair) {
        return repair.target().epoch() == epoch(state) && repair.target().total() == state.total()
                ? Optional.empty()
                : Optional.of(REPAIR_OVERTAKEN);
    }

    private Decision<StockPoolEvent> done(StockPool state, String operationId, Books books) {
        if (!(state instanceof Trusted trusted)) {
            return Decision.repeat();
        }
        Optional<PoolOperation> operation =
                trusted.work().inFlight().filter(head -> head.operationId().equals(operationId));
        if (operation.isEmpty()) {
            return Decision.repeat();
        }
        boolean ended = operation.get() instanceof Archive;
        if (!books.balanced()
                || books.total() != trusted.totalAfter(operation.get())
                || (ended && books.reserved() != 0)) {
            return suspect(trusted, "operation " + operationId + " left books that can't be: " + books);
        }
        return thenNext(
                trusted,
                switch (operation.get()) {
                    case Init _ -> new PoolInitialized(operationId, books);
                    case Adjust _, Give _, Receive _ -> new TotalAdjusted(operationId, nextBaseline(trusted), books);
                    case Pause _ -> new PoolPaused(operationId, books);
                    case Resume _ -> new PoolResumed(operationId, books);
                    case Close _ -> new PoolClosed(operationId, books);
                    case Archive _ -> new PoolArchived(operationId, books);
                    case Repair _ -> new StockRepaired(operationId, books);
                });
    }

    private static long nextBaseline(Trusted state) {
        return baseline(state) + 1;
    }

    /** Of one that is being created 0. */
    private static long baseline(StockPool state) {
        return state.totals().map(Baseline::version).orElse(0L);
    }

    private Decision<StockPoolEvent> turnedDown(StockPool state, String operationId, StockPoolRefusal reason) {
        if (!(state instanceof Trusted trusted)) {
            return Decision.repeat();
        }
        boolean inFlight = trusted.work()
                .inFlight()
                .filter(head -> head.operationId().equals(operationId))
                .isPresent();
        if (!inFlight) {
            return Decision.repeat();
        }
        return switch (trusted) {
            case Initializing _
            when reason == OPERATION_MALFORMED || reason == BUCKET_TAKEN ->
                thenNext(trusted, new OperationRefused(operationId, reason));
            case Initializing _ ->
                suspect(trusted, "Redis refused to create the pool under operation " + operationId + ": " + reason);
            case Open _, Closed _ -> thenNext(trusted, new OperationRefused(operationId, reason));
        };
    }

    /** The operation has ended; those after it that can't happen any more end with it, up to the first that can. */
    private Decision<StockPoolEvent> thenNext(Trusted state, StockPoolEvent ended) {
        List<StockPoolEvent> events = new ArrayList<>();
        events.add(ended);
        StockPool next = evolve(state, ended);
        Optional<StockPoolEvent> endedNext = endedNext(next);
        while (endedNext.isPresent()) {
            events.add(endedNext.get());
            next = evolve(next, endedNext.get());
            endedNext = endedNext(next);
        }
        return new Decision.Accept<>(events);
    }

    private static Optional<StockPoolEvent> endedNext(StockPool state) {
        return switch (state) {
            case Archived archived ->
                archived.work()
                        .inFlight()
                        .map(head -> head instanceof Archive
                                ? new PoolArchived(head.operationId(), archived.books())
                                : new OperationRefused(head.operationId(), POOL_ARCHIVED));
            case New fresh ->
                fresh.work().inFlight().map(head -> new OperationRefused(head.operationId(), POOL_UNKNOWN));
            case Trusted trusted ->
                trusted.work()
                        .inFlight()
                        .flatMap(
                                head -> refusal(trusted, head).map(no -> new OperationRefused(head.operationId(), no)));
            case Suspect _, Rebuilding _ -> Optional.empty();
        };
    }

    private static Decision<StockPoolEvent> suspect(StockPool state, String evidence) {
        return switch (state) {
            case New _ -> Decision.refuse(POOL_UNKNOWN);
            case Trusted trusted ->
                Decision.accept(new SuspicionRaised(evidence, trusted.work().verifications() + 1));
            // What is loaded anew is right, whatever was wrong before. Of an archived pool Redis is no longer asked, so
            // it does
            // not matter whether it could be believed.
            case Suspect _, Rebuilding _, Archived _ -> Decision.repeat();
        };
    }

    private static Decision<StockPoolEvent> verify(StockPool state, Optional<String> unserved) {
        return switch (state) {
            case New _ -> Decision.refuse(POOL_UNKNOWN);
            case Open open -> unserved.map(why -> suspect(open, why)).orElseGet(() -> Decision.refuse(NOT_SUSPECT));
            case Closed closed ->
                unserved.map(why -> suspect(closed, why)).orElseGet(() -> Decision.refuse(NOT_SUSPECT));
            // Redis need not have it yet.
            case Initializing _ -> Decision.refuse(NOT_SUSPECT);
            case Archived _ -> Decision.refuse(NOT_SUSPECT);
            case Suspect suspect ->
                suspect.nextAt().isEmpty() && suspect.report().isEmpty()
                        ? Decision.repeat()
                        : Decision.accept(new VerificationStarted(suspect.verification() + 1));
            case Rebuilding _ -> Decision.repeat();
        };
    }

    private Decision<StockPoolEvent> verified(StockPool state, long number, Finding finding, Instant now) {
        if (!(state instanceof Suspect suspect)
                || suspect.verification() != number
                || suspect.nextAt().isPresent()) {
            return Decision.repeat();
        }
        return switch (finding) {
            case Finding.Equal(Books books) ->
                goOn(suspect.kept(), new PoolReopened(number, Optional.of(books)), books);
            case Finding.NotCreatedYet() ->
                switch (suspect.kept()) {
                    case Initializing _ -> Decision.accept(new PoolReopened(number, Optional.empty()));
                    // A created pool is never taken for one that is not: what was held in it would be forgotten.
                    case Open _, Closed _ -> Decision.repeat();
                };
            case Finding.Different(DifferenceReport report) -> differs(suspect, report, now);
        };
    }

    private Decision<StockPoolEvent> differs(Suspect suspect, DifferenceReport report, Instant now) {
        List<StockPoolEvent> events = new ArrayList<>();
        if (suspect.report().filter(report::equals).isEmpty()) {
            events.add(new VerificationDiffered(suspect.verification(), report, now.plus(policies.verifyAgainAfter())));
        }
        if (rebuildsByItself(suspect.kept(), now)) {
            events.add(new RebuildStarted(
                    suspect.verification() + 1,
                    epoch(suspect.kept()) + 1,
                    suspect.evidence() + "; " + report.summary()));
        }
        // Nothing new: what is owed is tried again later, and the journal does not grow with every try.
        return events.isEmpty() ? Decision.repeat() : new Decision.Accept<>(events);
    }

    /** Not at once again: whatever undoes a rebuild would have it done over and over. */
    private boolean rebuildsByItself(Trusted kept, Instant now) {
        return switch (policies.rebuild()) {
            case ON_REQUEST -> false;
            case AUTOMATIC ->
                kept.work()
                        .rebuiltAt()
                        .filter(at -> now.isBefore(at.plus(policies.verifyAgainAfter())))
                        .isEmpty();
        };
    }

    private static Decision<StockPoolEvent> rebuild(StockPool state) {
        return switch (state) {
            case New _ -> Decision.refuse(POOL_UNKNOWN);
            case Archived _ -> Decision.refuse(POOL_ARCHIVED);
            case Trusted trusted ->
                Decision.accept(
                        new RebuildStarted(trusted.work().verifications() + 1, epoch(trusted) + 1, REBUILD_ASKED_FOR));
            case Suspect suspect ->
                Decision.accept(new RebuildStarted(
                        suspect.verification() + 1,
                        epoch(suspect.kept()) + 1,
                        suspect.evidence() + "; " + REBUILD_ASKED_FOR));
            case Rebuilding _ -> Decision.repeat();
        };
    }

    private Decision<StockPoolEvent> rebuilt(StockPool state, long number, RebuildResult result, Instant now) {
        if (!(state instanceof Rebuilding rebuilding) || rebuilding.number() != number) {
            return Decision.repeat();
        }
        return switch (result) {
            case RebuildResult.Opened(Books books, long fences) ->
                books.balanced()
                                && books.epoch() == rebuilding.epoch()
                                && books.total() == rebuilding.kept().total()
                        ? goOn(rebuilding.kept(), new PoolRebuilt(number, books, fences, now), books)
                        : startedOver(rebuilding, rebuilding.epoch(), "it left books that can't be: " + books);
            case RebuildResult.Overtaken(long epoch) ->
                startedOver(rebuilding, epoch, "Redis was at epoch " + epoch + " already");
        };
    }

    private static Decision<StockPoolEvent> startedOver(Rebuilding state, long used, String why) {
        return Decision.accept(new RebuildStarted(state.number() + 1, Math.max(state.epoch(), used) + 1, why));
    }

    /** A pool that was being created and is there, with the right numbers, has been created. */
    private Decision<StockPoolEvent> goOn(Trusted kept, StockPoolEvent reopened, Books books) {
        return switch (kept) {
            case Initializing initializing -> {
                String init = initializing.work().inFlight().orElseThrow().operationId();
                List<StockPoolEvent> events = new ArrayList<>(List.of(reopened));
                events.addAll(
                        thenNext(initializing, new PoolInitialized(init, books)).events());
                yield new Decision.Accept<>(events);
            }
            case Open _, Closed _ -> Decision.accept(reopened);
        };
    }

    private static Decision<StockPoolEvent> woken(StockPool state, Instant now) {
        return switch (state) {
            case New _, Trusted _, Archived _, Rebuilding _ -> Decision.repeat();
            case Suspect suspect ->
                suspect.nextAt().filter(at -> !now.isBefore(at)).isPresent()
                        ? Decision.accept(new VerificationStarted(suspect.verification() + 1))
                        : Decision.repeat();
        };
    }

    // ---- evolve

    @Override
    public StockPool evolve(StockPool state, StockPoolEvent event) {
        return switch (event) {
            case OperationAccepted(PoolOperation operation) -> accepted(state, operation, event);
            case PoolInitialized(String id, Books books)
            when state instanceof Initializing s ->
                new Open(
                        s.pool(),
                        new Baseline(s.total(), s.total(), FIRST_BASELINE),
                        false,
                        books,
                        happened(s, id, books));
            case TotalAdjusted(String id, long version, Books books)
            when state instanceof Open s ->
                new Open(
                        s.pool(),
                        new Baseline(s.baseline().first(), books.total(), version),
                        s.paused(),
                        books,
                        adjusted(s, id, version, books));
            case TotalAdjusted(String id, long version, Books books)
            when state instanceof Closed s ->
                new Closed(
                        s.pool(),
                        new Baseline(s.baseline().first(), books.total(), version),
                        books,
                        adjusted(s, id, version, books));
            case UnitsDelivered(String id)
            when state instanceof Trusted s && leaves(s, id) -> with(s, s.work().delivered());
            case PoolPaused(String id, Books books)
            when state instanceof Open s -> new Open(s.pool(), s.baseline(), true, books, happened(s, id, books));
            case PoolResumed(String id, Books books)
            when state instanceof Open s -> new Open(s.pool(), s.baseline(), false, books, happened(s, id, books));
            case PoolClosed(String id, Books books)
            when state instanceof Open s -> new Closed(s.pool(), s.baseline(), books, happened(s, id, books));
            case PoolClosed(String id, Books books)
            when state instanceof Closed s -> new Closed(s.pool(), s.baseline(), books, happened(s, id, books));
            case PoolArchived(String id, Books books)
            when state instanceof Closed s ->
                new Archived(s.pool(), s.baseline(), books, happened(s, id, books), Optional.empty());
            case PoolArchived(String id, Books books)
            when state instanceof Archived s ->
                new Archived(s.pool(), s.baseline(), books, happened(s, s.work(), id, baseline(s), books), s.goneBy());
            case KeysLetGo(Instant goneBy)
            when state instanceof Archived s ->
                new Archived(s.pool(), s.baseline(), s.books(), s.work(), Optional.of(goneBy));
            case StockRepaired(String id, Books books)
            when state instanceof Open s -> new Open(s.pool(), s.baseline(), s.paused(), books, happened(s, id, books));
            case StockRepaired(String id, Books books)
            when state instanceof Closed s -> new Closed(s.pool(), s.baseline(), books, happened(s, id, books));
            case OperationRefused(String id, StockPoolRefusal reason) -> refused(state, id, reason, event);
            case SuspicionRaised(String evidence, long verification)
            when state instanceof Trusted s ->
                new Suspect(
                        with(s, s.work().verifying(verification)),
                        evidence,
                        verification,
                        Optional.empty(),
                        Optional.empty());
            case VerificationStarted(long verification)
            when state instanceof Suspect s ->
                new Suspect(
                        with(s.kept(), s.kept().work().verifying(verification)),
                        s.evidence(),
                        verification,
                        s.report(),
                        Optional.empty());
            case VerificationDiffered(long verification, DifferenceReport report, Instant nextAt)
            when state instanceof Suspect s ->
                new Suspect(s.kept(), s.evidence(), verification, Optional.of(report), Optional.of(nextAt));
            case PoolReopened(var _, Optional<Books> books)
            when state instanceof Suspect s ->
                books.map(found -> reopened(s.kept(), found)).orElse(s.kept());
            case RebuildStarted(long number, long epoch, String reason) ->
                rebuilding(state, number, epoch, reason).orElseThrow(() -> impossible(state, event));
            case PoolRebuilt(var _, Books books, var _, Instant at)
            when state instanceof Rebuilding s ->
                reopened(with(s.kept(), s.kept().work().rebuilt(at)), books);
            case ContradictionNoticed _ -> state;
            case OpeningBegun(long number, var _) when owesOpening(state, number) -> state;
            case PoolInitialized _,
                    TotalAdjusted _,
                    UnitsDelivered _,
                    PoolPaused _,
                    PoolResumed _,
                    PoolClosed _,
                    PoolArchived _,
                    KeysLetGo _,
                    OpeningBegun _,
                    StockRepaired _,
                    SuspicionRaised _,
                    VerificationStarted _,
                    VerificationDiffered _,
                    PoolReopened _,
                    PoolRebuilt _ -> throw impossible(state, event);
        };
    }

    private static Optional<StockPool> rebuilding(StockPool state, long number, long epoch, String reason) {
        return state.trusted()
                .map(kept -> new Rebuilding(
                        with(kept, kept.work().verifying(number)),
                        reason,
                        number,
                        epoch,
                        switch (state) {
                            case Suspect suspect -> suspect.report();
                            case Rebuilding before -> before.report();
                            case New _, Trusted _, Archived _ -> Optional.empty();
                        }));
    }

    private static StockPool accepted(StockPool state, PoolOperation operation, StockPoolEvent event) {
        return switch (state) {
            case New fresh -> {
                if (!(operation instanceof Init init)) {
                    throw impossible(state, event);
                }
                yield new Initializing(
                        PoolId.parse(fresh.id()), init.units(), fresh.work().adding(init));
            }
            case Trusted trusted -> with(trusted, trusted.work().adding(operation));
            case Archived _ -> throw impossible(state, event);
            case Suspect s ->
                new Suspect(
                        with(s.kept(), s.kept().work().adding(operation)),
                        s.evidence(),
                        s.verification(),
                        s.report(),
                        s.nextAt());
            case Rebuilding s ->
                new Rebuilding(
                        with(s.kept(), s.kept().work().adding(operation)),
                        s.reason(),
                        s.number(),
                        s.epoch(),
                        s.report());
        };
    }

    private static StockPool refused(StockPool state, String id, StockPoolRefusal reason, StockPoolEvent event) {
        return switch (state) {
            case New s -> new New(s.id(), refused(s, s.work(), id, reason, event));
            // Only the one that creates it can be refused while it is being created.
            case Initializing s -> new New(s.id(), refused(s, s.work(), id, reason, event));
            case Trusted s -> with(s, refused(s, s.work(), id, reason, event));
            case Archived s ->
                new Archived(s.pool(), s.baseline(), s.books(), refused(s, s.work(), id, reason, event), s.goneBy());
            case Suspect s ->
                new Suspect(
                        with(s.kept(), refused(s, s.kept().work(), id, reason, event)),
                        s.evidence(),
                        s.verification(),
                        s.report(),
                        s.nextAt());
            case Rebuilding s ->
                new Rebuilding(
                        with(s.kept(), refused(s, s.kept().work(), id, reason, event)),
                        s.reason(),
                        s.number(),
                        s.epoch(),
                        s.report());
        };
    }

    private static Work refused(StockPool state, Work work, String id, StockPoolRefusal reason, StockPoolEvent event) {
        PoolOperation operation = work.waiting(id).orElseThrow(() -> impossible(state, event));
        return work.settling(new Settled(operation, Optional.of(reason), Optional.empty()), baseline(state));
    }

    private static Work happened(Trusted state, String operationId, Books books) {
        return happened(state, state.work(), operationId, baseline(state), books);
    }

    private static Work adjusted(Trusted state, String operationId, long version, Books books) {
        return happened(state, state.work(), operationId, version, books);
    }

    private static Work happened(StockPool state, Work work, String operationId, long version, Books books) {
        PoolOperation operation = work.waiting(operationId)
                .orElseThrow(() ->
                        new IllegalStateException("pool " + state.id() + " never accepted operation " + operationId));
        return work.settling(new Settled(operation, Optional.empty(), Optional.of(books)), version);
    }

    private static Trusted with(Trusted state, Work work) {
        return switch (state) {
            case Initializing s -> new Initializing(s.pool(), s.total(), work);
            case Open s -> new Open(s.pool(), s.baseline(), s.paused(), s.books(), work);
            case Closed s -> new Closed(s.pool(), s.baseline(), s.books(), work);
        };
    }

    private static Trusted reopened(Trusted state, Books books) {
        return switch (state) {
            case Initializing s -> s;
            case Open s -> new Open(s.pool(), s.baseline(), s.paused(), books, s.work());
            case Closed s -> new Closed(s.pool(), s.baseline(), books, s.work());
        };
    }

    private static IllegalStateException impossible(StockPool state, StockPoolEvent event) {
        return new IllegalStateException("pool " + state.id() + " in " + state.status() + " can't have met "
                + event.getClass().getSimpleName());
    }

    // ---- owe

    @Override
    public Owed<StockPoolEffect> owe(StockPool state) {
        return switch (state) {
            case New _ -> Owed.nothing();
            case Archived archived ->
                archived.goneBy().isPresent()
                        ? Owed.nothing()
                        : Owed.effect(new LetKeysGo(
                                archived.pool(),
                                archived.books().epoch(),
                                archived.work().verifications(),
                                policies.verify()));
            // Units that have left are in no pool, so they come before whatever else waits.
            case Trusted trusted ->
                trusted.work()
                        .leaving()
                        .<StockPoolEffect>map(give -> new DeliverUnits(
                                trusted.pool(),
                                epoch(trusted),
                                give,
                                // Nothing of the pool is done while units leave it, so it is the version they left
                                // under.
                                baseline(trusted),
                                trusted.work().verifications(),
                                policies.script()))
                        .or(() -> trusted.work().inFlight().map(operation -> effect(trusted, operation)))
                        .map(Owed::effect)
                        .orElseGet(Owed::nothing);
            case Suspect suspect ->
                suspect.nextAt()
                        .map(Owed::<StockPoolEffect>wakeAt)
                        .orElseGet(() -> Owed.effect(new VerifyPool(
                                suspect.kept().pool(),
                                epoch(suspect.kept()),
                                suspect.verification(),
                                suspect.kept(),
                                suspect.report().isPresent() ? policies.verifyAgain() : policies.verify())));
            case Rebuilding rebuilding ->
                Owed.effect(new RebuildPool(
                        rebuilding.kept().pool(),
                        rebuilding.epoch(),
                        rebuilding.number(),
                        rebuilding.kept(),
                        policies.verify()));
        };
    }

    private StockPoolEffect effect(Trusted state, PoolOperation operation) {
        PoolId pool = state.pool();
        long epoch = epoch(state);
        long generation = state.work().verifications();
        var retry = policies.script();
        List<PoolId> others = state.buckets()
                .filter(Buckets::isFirst)
                .map(bucket -> bucket.others(pool))
                .orElseGet(List::of);
        return switch (operation) {
            case Init init -> new InitPool(pool, epoch, init, generation, retry);
            case Adjust adjust ->
                adjusting(
                        state,
                        adjust,
                        state.buckets().isPresent() ? Bound.AVAILABLE : Bound.ANY,
                        state.sale().isPresent() ? OptionalLong.of(adjust.newTotal()) : OptionalLong.empty());
            case Give give -> adjusting(state, give, Bound.GIVEN, OptionalLong.empty());
            case Receive receive -> adjusting(state, receive, Bound.RECEIVED, OptionalLong.empty());
            case Pause(String id) -> new SetPoolStatus(pool, epoch, id, Target.PAUSED, others, generation, retry);
            case Resume(String id) -> new SetPoolStatus(pool, epoch, id, Target.OPEN, others, generation, retry);
            case Close(String id) -> new SetPoolStatus(pool, epoch, id, Target.CLOSED, others, generation, retry);
            case Archive(String id) -> new ArchivePool(pool, epoch, id, others, generation, policies.verify());
            case Repair repair -> new RepairPool(pool, epoch, repair, generation, retry);
        };
    }

    private AdjustPool adjusting(Trusted state, PoolOperation operation, Bound bound, OptionalLong finalStock) {
        return new AdjustPool(
                state.pool(),
                epoch(state),
                operation.operationId(),
                state.totalAfter(operation),
                nextBaseline(state),
                bound,
                finalStock,
                state.work().verifications(),
                policies.script());
    }

    private static long epoch(Trusted state) {
        return state.latestBooks().map(Books::epoch).orElse(FIRST_EPOCH);
    }

    // ---- verdict

    @Override
    public Verdict verdict(StockPool state, StockPoolCommand command) {
        return switch (command) {
            case PoolOperation operation ->
                switch (state) {
                    case New fresh -> verdict(fresh.work(), operation).orElseGet(Verdict::pending);
                    case Trusted trusted -> verdict(trusted, operation);
                    case Archived archived -> verdict(archived, operation);
                    case Suspect suspect -> verdict(suspect.kept(), operation);
                    case Rebuilding rebuilding -> verdict(rebuilding.kept(), operation);
                };
            case Verify _ ->
                switch (state) {
                    case New _, Trusted _, Archived _ -> Verdict.done();
                    case Suspect suspect -> suspect.nextAt().isEmpty() ? Verdict.pending() : Verdict.done();
                    case Rebuilding _ -> Verdict.pending();
                };
            case Rebuild() -> state instanceof Rebuilding ? Verdict.pending() : Verdict.done();
            case BeginOpening(long number, var _) ->
                owesOpening(state, number) ? Verdict.done() : Verdict.refused(NOT_SUSPECT);
            case OperationDone _,
                    OperationTurnedDown _,
                    UnitsTaken _,
                    KeysExpire _,
                    StockPoolCommand.Suspect _,
                    VerificationAnswered _,
                    RebuildAnswered _,
                    WakeUp _,
                    Contradicted _,
                    AnsweredUnder _ -> Verdict.done();
        };
    }

    /** The verdict on an operation whose id is known. */
    private static Optional<Verdict> verdict(Work work, PoolOperation operation) {
        Optional<Settled> ended = work.ended(operation.operationId());
        if (ended.isPresent()) {
            return ended.filter(settled -> settled.operation().asksTheSame(operation))
                    .map(settled -> settled.refusal()
                            .<Verdict>map(Verdict::refused)
                            .orElseGet(() ->
                                    isLeaving(work, operation.operationId()) ? Verdict.pending() : Verdict.done()))
                    .or(() -> Optional.of(Verdict.refused(OPERATION_ID_REUSED)));
        }
        Optional<Verdict> waits = work.waiting(operation.operationId())
                .map(waiting ->
                        waiting.asksTheSame(operation) ? Verdict.pending() : Verdict.refused(OPERATION_ID_REUSED));
        boolean came = operation instanceof Receive receive && work.moves().has(receive);
        return waits.isEmpty() && came ? Optional.of(Verdict.done()) : waits;
    }

    private static Verdict verdict(Archived state, PoolOperation operation) {
        return verdict(state.work(), operation).orElseGet(() -> switch (operation) {
            case Archive _ -> Verdict.done();
            case Init init when createdBy(state, init) -> Verdict.done();
            case Init _ -> Verdict.refused(ALREADY_INITIALIZED);
            case Adjust _, Give _, Receive _, Pause _, Resume _, Close _, Repair _ -> Verdict.refused(POOL_ARCHIVED);
        });
    }

    private static Verdict verdict(Trusted state, PoolOperation operation) {
        return verdict(state.work(), operation).orElseGet(() -> verdictOnUnknown(state, operation));
    }

    private static Verdict verdictOnUnknown(Trusted state, PoolOperation operation) {
        if (operation instanceof Init init) {
            if (!createdBy(state, init)) {
                return Verdict.refused(ALREADY_INITIALIZED);
            }
            return state instanceof Initializing ? Verdict.pending() : Verdict.done();
        }
        return Verdict.pending();
    }
}
