package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.ReservationRefusal.ALREADY_ENDED;
import static io.holdfast.reservation.domain.ReservationRefusal.NOT_UNDER_REVIEW;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_DECIDES;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_QUANTITY_CONFLICT;
import static io.holdfast.reservation.domain.ReservationRefusal.OTHER_CONTENT;
import static io.holdfast.reservation.domain.ReservationRefusal.OTHER_ORDER;
import static io.holdfast.reservation.domain.ReservationRefusal.RESOLUTION_NOT_ALLOWED;
import static io.holdfast.reservation.domain.ReservationRefusal.RESOLVED_AT_COMPENSATION;
import static io.holdfast.reservation.domain.ReservationRefusal.UNDER_REVIEW;
import static io.holdfast.reservation.domain.ReservationRefusal.UNKNOWN_RESERVATION;
import static io.holdfast.reservation.domain.ReservationRefusal.WAS_CANCELED;
import static io.holdfast.reservation.domain.ReservationRefusal.WAS_REFUNDED;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Admission.Stage;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.FactRules.Ruling;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Claimed;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.Reservation.Unmarked;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionLost;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionReturnAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.CompensationDecided;
import io.holdfast.reservation.domain.ReservationCommand.ConfirmAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Contradicted;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.Freeze;
import io.holdfast.reservation.domain.ReservationCommand.HandOffAnswered;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.OrderAnswered;
import io.holdfast.reservation.domain.ReservationCommand.OrderRequestAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundCameLate;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationCommand.SeeVerification;
import io.holdfast.reservation.domain.ReservationCommand.ToldByCaller;
import io.holdfast.reservation.domain.ReservationCommand.WakeUp;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.GivesBack;
import io.holdfast.reservation.domain.ReservationEffect.HandOff;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.RequestOrder;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.domain.ReservationEffect.TryGroup;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionWasLost;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.ReservationEvent.EpochSeen;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationEvent.HandedOff;
import io.holdfast.reservation.domain.ReservationEvent.HoldAdopted;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.InquiryStarted;
import io.holdfast.reservation.domain.ReservationEvent.OrderInquired;
import io.holdfast.reservation.domain.ReservationEvent.OrderRequestSent;
import io.holdfast.reservation.domain.ReservationEvent.OverdueNoticed;
import io.holdfast.reservation.domain.ReservationEvent.RefundRecorded;
import io.holdfast.reservation.domain.ReservationEvent.RequestAwaited;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.VerificationSeen;
import io.holdfast.reservation.domain.Resolution.Ending;
import io.holdfast.reservation.domain.Resolution.StandAs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The life of one hold: asked for, tried in Redis, and driven by the order's fate to exactly one end. What each fact of the order domain
 * means is in {@link FactRules}; how events add up is in {@link ReservationFold}.
 */
public final class ReservationMachine
        implements Machine<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> {

    /** Name of the machine: first part of the persistence id. */
    public static final String NAME = "reservation";

    /** Why a mark was lifted that its compensation had set. */
    private static final String RESOLVED = "resolved at the compensation";

    private final EffectPolicies policies;

    /** @param policies how what it owes is attempted */
    public ReservationMachine(EffectPolicies policies) {
        this.policies = Objects.requireNonNull(policies);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reservation initial(String entityId) {
        return new None(entityId, List.of(), List.of(), Optional.empty(), false);
    }

    @Override
    public Reservation evolve(Reservation state, ReservationEvent event) {
        return ReservationFold.evolve(state, event);
    }

    @Override
    public ReservationCommand wakeUp() {
        return new WakeUp();
    }

    @Override
    public ReservationCommand contradicted(String causeId) {
        return new Contradicted(causeId);
    }

    // ---- decide

    @Override
    public Decision<ReservationEvent> decide(Reservation state, ReservationCommand command, Instant now) {
        return switch (command) {
            case AnsweredUnder(long generation, ReservationCommand outcome) ->
                generation == generation(state) ? decide(state, outcome, now) : Decision.repeat();
            case SeeVerification(long number) ->
                state.asked().filter(claim -> claim.generation() != number).isPresent()
                        ? Decision.accept(new VerificationSeen(number))
                        : Decision.repeat();
            case SeeEpoch(long number, PoolEpoch seen) ->
                state.asked()
                                        .filter(claim -> claim.generation() != number || claim.isBehind(seen))
                                        .isPresent()
                                || owedBack(state)
                                        .filter(late -> late.isBehind(seen))
                                        .isPresent()
                        ? Decision.accept(new EpochSeen(number, seen.pool(), seen.epoch()))
                        : Decision.repeat();
            case Adopt adopt -> adopt(state, adopt, now);
            case AdmissionLost lost -> admissionLost(state, lost);
            case ToldByCaller(Fact fact) ->
                isAdmitted(state) ? Decision.refuse(ORDER_DECIDES) : decide(state, fact, now);
            case Reserve _,
                    Fact _,
                    HandOffAnswered _,
                    OrderRequestAnswered _,
                    AdmissionReturnAnswered _,
                    HoldAnswered _,
                    ConfirmAnswered _,
                    ReleaseAnswered _,
                    RefundAnswered _,
                    RefundCameLate _,
                    OrderAnswered _,
                    ContradictionFound _,
                    CompensationDecided _,
                    WakeUp _,
                    Contradicted _,
                    Freeze _,
                    Lift _ ->
                switch (state) {
                    case UnderReview marked -> decideMarked(marked, command, now);
                    case Unmarked plain -> decidePlain(plain, command, now);
                };
        };
    }

    private static boolean isAdmitted(Reservation state) {
        return state.asked().filter(Claim::admitted).isPresent();
    }

    private static long generation(Reservation state) {
        return state.asked().map(Claim::generation).orElse(0L);
    }

    private Decision<ReservationEvent> decidePlain(Unmarked state, ReservationCommand command, Instant now) {
        return switch (command) {
            case Reserve reserve -> reserve(state, reserve);
            case Fact fact -> learn(state, fact, now);
            case HandOffAnswered() ->
                stage(state).filter(stage -> stage == Stage.LISTED).isPresent()
                        ? Decision.accept(new HandedOff())
                        : Decision.repeat();
            case OrderRequestAnswered() ->
                stage(state).filter(stage -> stage == Stage.HANDED_OFF).isPresent()
                        ? Decision.accept(new OrderRequestSent())
                        : Decision.repeat();
            case AdmissionReturnAnswered(long released, Books books) ->
                owedBack(state).isPresent()
                        ? Decision.accept(new AdmissionReturned(released, books))
                        : Decision.repeat();
            case HoldAnswered answered -> holdAnswered(state, answered, now);
            case ConfirmAnswered answered -> confirmAnswered(state, answered, now);
            case ReleaseAnswered answered -> releaseAnswered(state, answered, now);
            case RefundAnswered(String refundId, Books books) ->
                refundAnswered(state, refundId, refund -> new HoldRefunded(refund, books), now);
            case RefundCameLate(String refundId) -> refundAnswered(state, refundId, RefundRecorded::new, now);
            case OrderAnswered(int number, OrderAnswer answer) -> orderAnswered(state, number, answer, now);
            case ContradictionFound found -> contradictionFound(state, found);
            case CompensationDecided decided -> compensationDecided(state, decided, now);
            case WakeUp() -> wakeUp(state, now);
            case Contradicted(String causeId) -> contradicted(state, causeId);
            case Freeze(String reason) -> freeze(state, reason);
            case Lift _ -> Decision.refuse(state instanceof None ? UNKNOWN_RESERVATION : NOT_UNDER_REVIEW);
            case Adopt _, AdmissionLost _, ToldByCaller _, AnsweredUnder _, SeeVerification _, SeeEpoch _ ->
                throw decidedBefore(command);
        };
    }

    // What the gate let in is never refused: the units are reserved in Redis, and nobody else knows of them.

    private Decision<ReservationEvent> adopt(Reservation state, Adopt command, Instant now) {
        boolean here = state.asked()
                .filter(claim -> claim.pool().equals(command.pool()))
                .isPresent();
        return switch (state.unmarked()) {
            case None none -> adopted(state, none, command, now);
            case Canceled _, Refunded _, Rejected _ ->
                here && isOf(state, command) ? Decision.repeat() : late(state, command);
            case Preparing _, Reserved _, CreatedReserved _, Confirming _, Confirmed _, Canceling _, Refunding _ -> {
                if (!here) {
                    yield late(state, command);
                }
                // One fence stands for whatever asks under this id in this pool.
                yield isOfSameRequest(state, command) || state instanceof UnderReview
                        ? Decision.repeat()
                        : Decision.accept(new ReviewOpened(new Review(
                                Review.Trigger.FENCE_CONTRADICTION,
                                "the gate let another request in under this id",
                                Map.of(
                                        "user", command.order().userId(),
                                        "request", command.order().requestId(),
                                        "quantity",
                                                Long.toString(command.order().quantity())))));
            }
        };
    }

    private Decision<ReservationEvent> adopted(Reservation state, None none, Adopt command, Instant now) {
        Terms terms = command.terms();
        var event = new HoldAdopted(command.pool(), terms, command.attentionAt(), command.order(), command.books());
        if (state instanceof UnderReview) {
            return Decision.accept(event);
        }
        String order = terms.line().orderId();
        Map<Boolean, List<Fact>> ofOther =
                none.noted().stream().collect(Collectors.partitioningBy(fact -> FactRules.isOfOther(fact, order)));
        List<ReservationEvent> events =
                new ArrayList<>(settled(state, event, ofOther.getOrDefault(false, List.of()), now)
                        .events());
        ofOther.getOrDefault(true, List.of()).forEach(fact -> events.add(new FactRefused(fact, OTHER_ORDER)));
        return new Decision.Accept<>(events);
    }

    /** Whether it is the very admission this reservation holds, or held. */
    private static boolean isOf(Reservation state, Adopt command) {
        return state.units()
                .filter(account -> account.hold().equals(command.books()))
                .isPresent();
    }

    private static boolean isOfSameRequest(Reservation state, Adopt command) {
        return state.asked()
                .flatMap(Claim::admission)
                .map(Admission::order)
                .filter(order -> order.userId().equals(command.order().userId())
                        && order.requestId().equals(command.order().requestId())
                        && order.quantity() == command.order().quantity())
                .isPresent();
    }

    /** While one is on its way back, the next stays on the list of its pool and comes again. */
    private static Decision<ReservationEvent> late(Reservation state, Adopt command) {
        boolean known = state.late()
                .filter(late -> !late.returned()
                        || late.pool().equals(command.pool()) && late.books().equals(command.books()))
                .isPresent();
        return known
                ? Decision.repeat()
                : Decision.accept(new AdmissionCameLate(command.pool(), command.terms(), command.books()));
    }

    /** Also under review: it must not hold what others have, whatever a person decides. */
    private static Decision<ReservationEvent> admissionLost(Reservation state, AdmissionLost command) {
        return state.isProvisional() && generation(state) == command.generation()
                ? Decision.accept(new AdmissionWasLost(command.total(), command.promised()))
                : Decision.repeat();
    }

    private static Optional<Stage> stage(Unmarked state) {
        return state instanceof Reserved reserved
                ? reserved.claim().admission().map(Admission::stage)
                : Optional.empty();
    }

    private static Optional<LateAdmission> owedBack(Reservation state) {
        return state.late().filter(late -> !late.returned());
    }

    private static Decision<ReservationEvent> reserve(Unmarked state, Reserve command) {
        return switch (state) {
            case None none -> requested(none, command);
            case Claimed claimed -> repeatOf(claimed.claim(), command);
            case Canceled canceled ->
                canceled.claim().map(claim -> repeatOf(claim, command)).orElseGet(() -> Decision.refuse(WAS_CANCELED));
        };
    }

    /** Now it is known which order it is of; news of others moves nothing. */
    private static Decision<ReservationEvent> requested(None state, Reserve command) {
        String order = command.terms().line().orderId();
        List<ReservationEvent> events = new ArrayList<>();
        events.add(new HoldRequested(
                command.pool().pool(), command.terms(), command.attentionAt(), command.group(), command.epochs()));
        state.noted().stream()
                .filter(fact -> FactRules.isOfOther(fact, order))
                .forEach(fact -> events.add(new FactRefused(fact, OTHER_ORDER)));
        return new Decision.Accept<>(events);
    }

    private static Decision<ReservationEvent> repeatOf(Claim claim, Reserve command) {
        return sameContent(claim, command) ? Decision.repeat() : Decision.refuse(OTHER_CONTENT);
    }

    private static boolean sameContent(Claim claim, Reserve command) {
        boolean samePool = switch (command.pool()) {
            case PoolChoice.Named(PoolId pool) -> pool.equals(claim.pool());
            case PoolChoice.Derived _ -> true;
        };
        return samePool && command.terms().equals(claim.terms()) && sameGroup(claim.group(), command.group());
    }

    private static boolean sameGroup(Optional<Group> known, Optional<Group> asked) {
        return known.isPresent() && asked.isPresent()
                ? known.get().asksTheSame(asked.get())
                : known.isEmpty() && asked.isEmpty();
    }

    private Decision<ReservationEvent> learn(Unmarked state, Fact told, Instant now) {
        Fact fact = FactRules.named(state, told);
        return switch (FactRules.rule(state, fact)) {
            case Ruling.Follows(ReservationEvent event) ->
                state instanceof None none ? learnEarly(none, event, now) : Decision.accept(event);
            case Ruling.Known _ -> Decision.repeat();
            case Ruling.Refused(ReservationRefusal reason, boolean recorded) ->
                recorded ? Decision.refuse(reason) : Decision.refuse(reason, new FactRefused(fact, reason));
        };
    }

    /** The first news of an order starts the wait for the request; an end decides all that has waited. */
    private Decision<ReservationEvent> learnEarly(None state, ReservationEvent event, Instant now) {
        if (!(event instanceof FactNoted)) {
            return settled(state, event, state.noted(), now);
        }
        return state.attentionAt().isPresent()
                ? Decision.accept(event)
                : Decision.accept(event, new RequestAwaited(now.plus(policies.attentionAfter())));
    }

    // An outcome of something no longer owed is old news: whatever it says was asked for again, or was never needed.

    private Decision<ReservationEvent> holdAnswered(Unmarked state, HoldAnswered command, Instant now) {
        return switch (state) {
            case Preparing preparing ->
                settled(
                        preparing,
                        switch (command.answer()) {
                            case HoldAnswer.Granted(Books books) -> new HoldGranted(books);
                            case HoldAnswer.Turned(DenialReason reason, Books books) -> new HoldDenied(reason, books);
                        },
                        preparing.noted(),
                        now);
            case None _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Confirmed _,
                    Canceling _,
                    Canceled _,
                    Refunding _,
                    Refunded _,
                    Rejected _ -> Decision.repeat();
        };
    }

    private Decision<ReservationEvent> confirmAnswered(Unmarked state, ConfirmAnswered command, Instant now) {
        return switch (state) {
            case Confirming confirming -> {
                Account account = confirming.account();
                if (command.confirmed() != account.remaining() || command.released() != account.surplus()) {
                    yield movedOtherwise(
                            "CONFIRM",
                            Map.of(
                                    "expected_confirmed", Long.toString(account.remaining()),
                                    "expected_released", Long.toString(account.surplus()),
                                    "confirmed", Long.toString(command.confirmed()),
                                    "released", Long.toString(command.released())));
                }
                yield settled(
                        confirming,
                        new HoldConfirmed(command.confirmed(), command.released(), command.books()),
                        confirming.noted(),
                        now);
            }
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirmed _,
                    Canceling _,
                    Canceled _,
                    Refunding _,
                    Refunded _,
                    Rejected _ -> Decision.repeat();
        };
    }

    private Decision<ReservationEvent> releaseAnswered(Unmarked state, ReleaseAnswered command, Instant now) {
        return switch (state) {
            case Canceling canceling -> {
                long held = canceling.account().remaining();
                if (command.released() != held) {
                    yield movedOtherwise(
                            "RELEASE",
                            Map.of(
                                    "expected_released", Long.toString(held),
                                    "released", Long.toString(command.released())));
                }
                yield settled(canceling, new HoldReleased(command.released(), command.books()), canceling.noted(), now);
            }
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Confirmed _,
                    Canceled _,
                    Refunding _,
                    Refunded _,
                    Rejected _ -> Decision.repeat();
        };
    }

    private Decision<ReservationEvent> refundAnswered(
            Unmarked state, String refundId, Function<Refund, ReservationEvent> done, Instant now) {
        return switch (state) {
            case Refunding refunding ->
                refunding.refund().id().equals(refundId)
                        ? settled(refunding, done.apply(refunding.refund()), refunding.noted(), now)
                        : Decision.repeat();
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Confirmed _,
                    Canceling _,
                    Canceled _,
                    Refunded _,
                    Rejected _ -> Decision.repeat();
        };
    }

    private static Decision<ReservationEvent> movedOtherwise(String operation, Map<String, String> evidence) {
        return Decision.accept(new ReviewOpened(new Review(
                Review.Trigger.FENCE_CONTRADICTION,
                operation + " moved other quantities than it was asked to",
                evidence)));
    }

    private Decision<ReservationEvent> contradictionFound(Unmarked state, ContradictionFound found) {
        return owed(state, found.operationId())
                .map(owing -> Decision.<ReservationEvent>accept(new ReviewOpened(new Review(
                        owing instanceof GivesBack ? Review.Trigger.COMPENSATION : Review.Trigger.FENCE_CONTRADICTION,
                        found.operationId() + " was answered " + found.answer(),
                        found.evidence()))))
                .orElseGet(Decision::repeat);
    }

    private Optional<ReservationEffect> owed(Unmarked state, String operationId) {
        return owe(state).effects().stream()
                .filter(owing -> owing.operationId().equals(operationId))
                .findFirst();
    }

    /** The mark is set before it is lifted, also where nobody saw it: the journal shows that a person decided. */
    private Decision<ReservationEvent> compensationDecided(Unmarked state, CompensationDecided decided, Instant now) {
        if (owed(state, decided.operationId()).isEmpty()) {
            return Decision.repeat();
        }
        List<ReservationEvent> events = new ArrayList<>();
        events.add(new ReviewOpened(
                new Review(Review.Trigger.COMPENSATION, decided.operationId() + " was decided by a person", Map.of())));
        Reservation marked = ReservationFold.evolve(state, events.getFirst());
        events.addAll(standingAs((UnderReview) marked, decided, now).events());
        return new Decision.Accept<>(events);
    }

    private Decision<ReservationEvent> standingAs(UnderReview marked, CompensationDecided decided, Instant now) {
        return lift(marked, new StandAs(decided.ending()), decided.reason(), now);
    }

    /** What was decided at the compensation has come about: the mark goes, and the outcome is recorded as any other. */
    private Decision<ReservationEvent> resolved(UnderReview marked, ReservationCommand outcome, Instant now) {
        if (!marked.awaitsCompensation()) {
            return Decision.repeat();
        }
        List<ReservationEvent> events = new ArrayList<>(
                lift(marked, new Resolution.Continue(), RESOLVED, now).events());
        Reservation lifted = marked;
        for (ReservationEvent event : events) {
            lifted = ReservationFold.evolve(lifted, event);
        }
        List<ReservationEvent> recorded =
                decidePlain(lifted.unmarked(), outcome, now).events();
        if (recorded.isEmpty()) {
            return Decision.repeat();
        }
        events.addAll(recorded);
        return new Decision.Accept<>(events);
    }

    private Decision<ReservationEvent> orderAnswered(Unmarked state, int number, OrderAnswer answer, Instant now) {
        boolean asked = state instanceof Reserved reserved
                && reserved.inquiry()
                        .filter(inquiry -> inquiry.owed() && inquiry.number() == number)
                        .isPresent();
        if (!asked) {
            return Decision.repeat();
        }
        Optional<Instant> nextAt = number < policies.inquiry().most()
                ? Optional.of(now.plus(policies.inquiry().waits().delayAfter(number, 0)))
                : Optional.empty();
        return Decision.accept(new OrderInquired(number, answer, nextAt));
    }

    private static Decision<ReservationEvent> wakeUp(Unmarked state, Instant now) {
        return switch (state) {
            case None none ->
                none.attentionAt()
                        .filter(at -> !none.overdue() && !now.isBefore(at))
                        .map(at -> Decision.<ReservationEvent>accept(new OverdueNoticed(at)))
                        .orElseGet(Decision::repeat);
            case Reserved reserved ->
                reserved.overdue()
                        ? askAgain(reserved, now)
                        : now.isBefore(reserved.claim().attentionAt())
                                ? Decision.repeat()
                                : Decision.accept(
                                        new OverdueNoticed(reserved.claim().attentionAt()));
            case CreatedReserved created ->
                now.isBefore(created.processingTime())
                        ? Decision.repeat()
                        : Decision.accept(new ConfirmStarted(created.account().ordered()));
            case Preparing _, Confirming _, Confirmed _, Canceling _, Canceled _, Refunding _, Refunded _, Rejected _ ->
                Decision.repeat();
        };
    }

    private static Decision<ReservationEvent> askAgain(Reserved state, Instant now) {
        return state.inquiry()
                .filter(inquiry ->
                        inquiry.nextAt().filter(at -> !now.isBefore(at)).isPresent())
                .map(inquiry -> Decision.<ReservationEvent>accept(new InquiryStarted(inquiry.number() + 1)))
                .orElseGet(Decision::repeat);
    }

    private static Decision<ReservationEvent> contradicted(Unmarked state, String causeId) {
        return switch (state) {
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Confirmed _,
                    Canceling _,
                    Refunding _ ->
                Decision.accept(new ReviewOpened(new Review(
                        Review.Trigger.CAUSE_REUSED,
                        "an event came under a known id with other content",
                        Map.of("cause_id", causeId))));
            case Canceled _, Refunded _, Rejected _ -> Decision.accept(new ContradictionNoticed(causeId));
        };
    }

    private static Decision<ReservationEvent> freeze(Unmarked state, String reason) {
        return switch (state) {
            case None _ -> Decision.refuse(UNKNOWN_RESERVATION);
            case Preparing _, Reserved _, CreatedReserved _, Confirming _, Confirmed _, Canceling _, Refunding _ ->
                Decision.accept(new ReviewOpened(new Review(Review.Trigger.FROZEN, reason, Map.of())));
            case Canceled _, Refunded _, Rejected _ -> Decision.refuse(ALREADY_ENDED);
        };
    }

    private static IllegalStateException decidedBefore(ReservationCommand command) {
        return new IllegalStateException("decided alike in every state, whether marked or not: " + command);
    }

    // ---- decide, under review

    private Decision<ReservationEvent> decideMarked(UnderReview marked, ReservationCommand command, Instant now) {
        return switch (command) {
            case Reserve reserve ->
                switch (marked.state()) {
                    case None _ -> Decision.refuse(UNDER_REVIEW);
                    case Claimed claimed -> repeatOf(claimed.claim(), reserve);
                    case Canceled _ -> reserve(marked.state(), reserve);
                };
            case Fact fact -> learnMarked(marked, fact);
            case ReleaseAnswered _, RefundAnswered _, RefundCameLate _ -> resolved(marked, command, now);
            case CompensationDecided decided ->
                marked.awaitsCompensation()
                                && owed(marked.state(), decided.operationId()).isPresent()
                        ? standingAs(marked, decided, now)
                        : Decision.repeat();
            // Nothing else is owed, so nothing is awaited; it is asked for again when the mark is lifted.
            case HandOffAnswered _,
                    OrderRequestAnswered _,
                    AdmissionReturnAnswered _,
                    HoldAnswered _,
                    ConfirmAnswered _,
                    OrderAnswered _,
                    ContradictionFound _,
                    WakeUp _ -> Decision.repeat();
            case Contradicted(String causeId) ->
                causeId.equals(marked.review().evidence().get("cause_id"))
                        ? Decision.repeat()
                        : Decision.accept(new ContradictionNoticed(causeId));
            case Freeze _ -> Decision.repeat();
            case Lift(Resolution resolution, String reason) ->
                marked.awaitsCompensation()
                        ? Decision.refuse(RESOLVED_AT_COMPENSATION)
                        : lift(marked, resolution, reason, now);
            case Adopt _, AdmissionLost _, ToldByCaller _, AnsweredUnder _, SeeVerification _, SeeEpoch _ ->
                throw decidedBefore(command);
        };
    }

    /**
     * The resolution may change what a fact means, so all that is not known is kept, even what the kept state would refuse. It does not
     * change which order the reservation is of.
     */
    private static Decision<ReservationEvent> learnMarked(UnderReview marked, Fact told) {
        Fact fact = FactRules.named(marked, told);
        if (marked.noted().contains(fact)) {
            return Decision.repeat();
        }
        return switch (FactRules.rule(marked.state(), fact)) {
            case Ruling.Known _ -> Decision.repeat();
            case Ruling.Follows _ -> Decision.accept(new FactNoted(fact));
            case Ruling.Refused(var reason, boolean recorded) -> {
                if (recorded) {
                    yield Decision.refuse(reason);
                }
                yield reason == OTHER_ORDER
                        ? Decision.refuse(reason, new FactRefused(fact, reason))
                        : Decision.accept(new FactNoted(fact));
            }
        };
    }

    private Decision<ReservationEvent> lift(UnderReview marked, Resolution resolution, String reason, Instant now) {
        List<Fact> noted = switch (resolution) {
            case Resolution.Continue() -> marked.noted();
            case StandAs _ -> joined(ReservationFold.noted(marked.state()), marked.noted());
        };
        if (resolution instanceof StandAs(Ending ending) && !ReservationFold.canStandAs(marked.state(), ending)) {
            return Decision.refuse(RESOLUTION_NOT_ALLOWED);
        }
        return settled(marked, new ReviewLifted(resolution, reason), noted, now);
    }

    private static List<Fact> joined(List<Fact> first, List<Fact> second) {
        List<Fact> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    // ---- facts that waited

    /**
     * What follows when an outcome is known: the outcome itself, then every noted fact in order of arrival, except that OrderCreated
     * comes before the facts that imply it. A fact that meets a new debt is noted again.
     */
    private Decision<ReservationEvent> settled(
            Reservation before, ReservationEvent outcome, List<Fact> noted, Instant now) {
        List<ReservationEvent> events = new ArrayList<>();
        List<Fact> open = new ArrayList<>(noted);
        Unmarked state = happened(before, outcome, events);
        Optional<OrderCreated> creation = FactRules.creationThatWins(state, open);
        creation.ifPresent(open::remove);
        if (before instanceof Refunding && state instanceof Reserved reserved) {
            state = goOn(reserved, creation, events);
        } else if (creation.isPresent()) {
            state = absorbed(state, creation.get(), events, now);
        }
        for (Fact fact : open) {
            state = absorbed(state, fact, events, now);
        }
        return new Decision.Accept<>(events);
    }

    /** A refund came before the news that the order exists, which it implies: what is left takes the order's way. */
    private static Unmarked goOn(Reserved state, Optional<OrderCreated> named, List<ReservationEvent> events) {
        Account account = state.account();
        long ordered =
                named.isEmpty() ? account.ordered() : named.get().quantity().orElse(account.held());
        if (named.isPresent() && ordered < account.refunded()) {
            happened(state, new FactRefused(named.get(), ORDER_QUANTITY_CONFLICT), events);
            ordered = account.ordered();
        }
        return happened(state, FactRules.creation(state, ordered), events);
    }

    private Unmarked absorbed(Unmarked state, Fact fact, List<ReservationEvent> events, Instant now) {
        Unmarked next = state;
        for (ReservationEvent event : learn(state, fact, now).events()) {
            next = happened(next, event, events);
        }
        return next;
    }

    private static Unmarked happened(Reservation state, ReservationEvent event, List<ReservationEvent> events) {
        events.add(event);
        return ReservationFold.evolve(state, event).unmarked();
    }

    // ---- owe

    @Override
    public Owed<ReservationEffect> owe(Reservation state) {
        Owed<ReservationEffect> owed = oweOfItself(state);
        List<ReservationEffect> ofTheGate = state instanceof Unmarked plain ? oweOfTheGate(plain) : List.of();
        if (ofTheGate.isEmpty()) {
            return owed;
        }
        List<ReservationEffect> all = new ArrayList<>(ofTheGate);
        all.addAll(owed.effects());
        return new Owed<>(all, owed.wakeAt());
    }

    private List<ReservationEffect> oweOfTheGate(Unmarked state) {
        List<ReservationEffect> effects = new ArrayList<>();
        if (state instanceof Reserved(Claim c, var _, var _, var _)) {
            c.admission().ifPresent(admission -> {
                switch (admission.stage()) {
                    case LISTED ->
                        effects.add(new HandOff(c.id(), c.pool(), c.generation(), c.epoch(), policies.script()));
                    case HANDED_OFF ->
                        effects.add(new RequestOrder(c.pool(), admission.order(), c.generation(), policies.script()));
                    case REQUESTED -> {}
                }
            });
        }
        owedBack(state)
                .ifPresent(late -> effects.add(new ReturnAdmission(
                        state.id(),
                        late.pool(),
                        late.terms().quantity(),
                        generation(state),
                        late.epoch(),
                        policies.script())));
        return effects;
    }

    private Owed<ReservationEffect> oweOfItself(Reservation state) {
        return switch (state) {
            case None none -> none.overdue() ? Owed.nothing() : new Owed<>(List.of(), none.attentionAt());
            case Reserved reserved ->
                reserved.overdue()
                        ? reserved.inquiry()
                                .map(inquiry -> inquiry(reserved, inquiry))
                                .orElseGet(Owed::nothing)
                        : Owed.wakeAt(reserved.claim().attentionAt());
            case CreatedReserved created -> Owed.wakeAt(created.processingTime());
            case UnderReview marked ->
                marked.awaitsCompensation()
                        ? effect(marked.state())
                                .filter(GivesBack.class::isInstance)
                                .map(owed -> Owed.<ReservationEffect>effect(
                                        new AwaitCompensation((GivesBack) owed, policies.await())))
                                .orElseGet(Owed::nothing)
                        : Owed.nothing();
            case Unmarked plain -> effect(plain).map(Owed::effect).orElseGet(Owed::nothing);
        };
    }

    private Owed<ReservationEffect> inquiry(Reserved state, Inquiry inquiry) {
        if (!inquiry.owed()) {
            return new Owed<>(List.of(), inquiry.nextAt());
        }
        Claim claim = state.claim();
        return inquiry.number() > policies.inquiry().most()
                ? Owed.nothing()
                : Owed.effect(new AskOrder(
                        claim.id(),
                        claim.pool(),
                        claim.terms().line(),
                        inquiry.number(),
                        claim.generation(),
                        policies.inquiry().retry()));
    }

    private Optional<ReservationEffect> effect(Unmarked state) {
        var retry = policies.script();
        return switch (state) {
            case Preparing(Claim c, var _, var _) ->
                Optional.of(c.group()
                        .<ReservationEffect>map(group -> new TryGroup(
                                c.id(), c.pool(), group, c.attentionAt(), c.generation(), c.epochs(), retry))
                        .orElseGet(() ->
                                new TryHold(c.id(), c.pool(), c.terms().quantity(), c.generation(), c.epoch(), retry)));
            case Confirming(Claim c, Account account, var _) ->
                Optional.of(new ConfirmHold(
                        c.id(), c.pool(), account.remaining(), c.generation(), c.epoch(), c.admitted(), retry));
            case Canceling(Claim c, Account account, var _, var _) ->
                Optional.of(new ReleaseHold(
                        c.id(), c.pool(), account.remaining(), c.generation(), c.epoch(), c.admitted(), retry));
            case Refunding(Claim c, var _, Refund refund, var _, var _, var _) ->
                Optional.of(new RefundHold(c.id(), c.pool(), refund, c.generation(), c.epoch(), c.admitted(), retry));
            case None _, Reserved _, CreatedReserved _, Confirmed _, Canceled _, Refunded _, Rejected _ ->
                Optional.empty();
        };
    }

    // ---- verdict

    @Override
    public Verdict verdict(Reservation state, ReservationCommand command) {
        return switch (command) {
            case Reserve reserve -> verdict(state.unmarked(), reserve);
            case Adopt _ -> Verdict.done();
            case ToldByCaller(Fact fact) -> isAdmitted(state) ? Verdict.refused(ORDER_DECIDES) : verdict(state, fact);
            case Fact told -> {
                Fact fact = FactRules.named(state, told);
                yield state instanceof UnderReview marked && marked.noted().contains(fact)
                        ? Verdict.pending()
                        : verdict(state.unmarked(), fact);
            }
            case HandOffAnswered _,
                    OrderRequestAnswered _,
                    AdmissionReturnAnswered _,
                    AdmissionLost _,
                    HoldAnswered _,
                    ConfirmAnswered _,
                    ReleaseAnswered _,
                    RefundAnswered _,
                    RefundCameLate _,
                    OrderAnswered _,
                    ContradictionFound _,
                    CompensationDecided _,
                    WakeUp _,
                    Contradicted _,
                    Freeze _,
                    Lift _,
                    AnsweredUnder _,
                    SeeVerification _,
                    SeeEpoch _ -> Verdict.done();
        };
    }

    private static Verdict verdict(Unmarked state, Reserve command) {
        return switch (state) {
            case None _ -> Verdict.pending();
            case Canceled canceled ->
                Verdict.refused(
                        canceled.claim()
                                        .filter(claim -> !sameContent(claim, command))
                                        .isPresent()
                                ? OTHER_CONTENT
                                : WAS_CANCELED);
            case Claimed claimed ->
                sameContent(claimed.claim(), command) ? verdictOnHold(claimed) : Verdict.refused(OTHER_CONTENT);
        };
    }

    /** A hold that was granted stays so for whoever asks again, except that one which is gone is never called granted. */
    private static Verdict verdictOnHold(Claimed state) {
        return switch (state) {
            case Preparing _ -> Verdict.pending();
            case Reserved _, CreatedReserved _, Confirming _, Confirmed _, Refunding _ -> Verdict.done();
            case Canceling _ -> Verdict.refused(WAS_CANCELED);
            case Refunded _ -> Verdict.refused(WAS_REFUNDED);
            case Rejected rejected -> Verdict.refused(ReservationRefusal.of(rejected.reason()));
        };
    }

    private static Verdict verdict(Unmarked state, Fact fact) {
        return switch (FactRules.rule(state, fact)) {
            case Ruling.Follows _ -> Verdict.pending();
            case Ruling.Known(boolean settled) -> settled ? Verdict.done() : Verdict.pending();
            case Ruling.Refused(ReservationRefusal reason, var _) -> Verdict.refused(reason);
        };
    }
}
