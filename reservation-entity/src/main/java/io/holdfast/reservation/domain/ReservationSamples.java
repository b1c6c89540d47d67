package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
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
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionWasLost;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.HandedOff;
import io.holdfast.reservation.domain.ReservationEvent.HoldAdopted;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.OrderInquired;
import io.holdfast.reservation.domain.ReservationEvent.OrderRequestSent;
import io.holdfast.reservation.domain.ReservationEvent.OverdueNoticed;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.RequestAwaited;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One reservation of 5 units in every state it can be in, and every command it can be given. */
public final class ReservationSamples
        implements MachineSamples<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofMinutes(15));
    private static final Line LINE = new Line("m-1", "soup", "order-1", "item-1", Optional.of("user-1"));
    private static final String ID = LINE.reservationId();
    private static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    private static final Terms TERMS = new Terms(LINE, 5, new OrderType.InstantOrder());
    private static final String ORDER = LINE.orderId();
    private static final OrderCreated CREATED = OrderCreated.whole(ORDER);
    private static final OrderCreatedFailed ORDER_FAILED = new OrderCreatedFailed(ORDER, "payment refused");
    private static final Refund PART = new Refund("refund-1", 2, true);
    private static final Cancellation FAILED =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(ORDER), "payment refused");

    private static final HoldRequested REQUESTED = new HoldRequested(POOL, TERMS, LATER);
    private static final Group GROUP = new Group(List.of(
            new GroupLine(POOL, TERMS),
            new GroupLine(
                    PoolId.parse("m-1:bread:2026-07-25"),
                    new Terms(
                            new Line("m-1", "bread", ORDER, "item-2", Optional.of("user-1")),
                            1,
                            new OrderType.InstantOrder()))));
    private static final HoldRequested REQUESTED_TOGETHER = new HoldRequested(POOL, TERMS, LATER, Optional.of(GROUP));
    private static final HoldGranted GRANTED = new HoldGranted(books(2, 5, 0));
    private static final ConfirmStarted CONFIRMING = new ConfirmStarted(5);
    private static final HoldConfirmed CONFIRMED = new HoldConfirmed(5, 0, books(3, 0, 5));
    private static final RefundStarted PART_STARTED = new RefundStarted(PART, 5);
    private static final HoldRefunded PART_DONE = new HoldRefunded(PART, books(4, 0, 3));
    private static final ReviewOpened FROZEN =
            new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));

    private static final OrderCreateRequested ADMITTED =
            new OrderCreateRequested("message-1", ID, "request-1", "m-1", "soup", "user-1", 5, NOW, LATER);
    private static final Adopt ADOPT = new Adopt(ADMITTED, POOL, books(2, 5, 0), LATER);
    private static final HoldAdopted ADOPTED = new HoldAdopted(POOL, ADOPT.terms(), LATER, ADMITTED, books(2, 5, 0));
    private static final TombstoneSet TOMBSTONE = new TombstoneSet(FAILED);
    private static final AdmissionCameLate LATE = new AdmissionCameLate(POOL, ADOPT.terms(), books(2, 5, 0));
    private static final AdmissionReturned RETURNED = new AdmissionReturned(5, books(3, 0, 0));
    private static final ReviewOpened AWAITS = new ReviewOpened(
            new Review(Review.Trigger.COMPENSATION, "RELEASE:" + ID + " was answered CONFIRMED_ALREADY", Map.of()));

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());

    private static Books books(long version, long reserved, long sold) {
        return Books.expected(1, version, 10, reserved, sold);
    }

    private static HoldRequested scheduledFor(Instant at) {
        return new HoldRequested(POOL, new Terms(LINE, 5, new OrderType.ScheduledOrder(at)), LATER);
    }

    @Override
    public Machine<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> machine() {
        return machine;
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public Class<?> stateType() {
        return Reservation.class;
    }

    @Override
    public Class<?> commandType() {
        return ReservationCommand.class;
    }

    @Override
    public List<Sample<Reservation>> states() {
        Instant past = NOW.minusSeconds(1);
        RefundStarted all = new RefundStarted(new Refund(Refund.ORDER_CANCELED, 5, true), 5);
        return List.of(
                Sample.of(after()),
                Sample.of("order known", after(new FactNoted(CREATED), new RequestAwaited(LATER))),
                Sample.of("order known, request overdue", after(new FactNoted(CREATED), new RequestAwaited(past))),
                Sample.of(after(REQUESTED)),
                Sample.of("with a group", after(REQUESTED_TOGETHER)),
                Sample.of("order known", after(REQUESTED, new FactNoted(CREATED))),
                Sample.of("order failed", after(REQUESTED, new FactNoted(ORDER_FAILED))),
                Sample.of(after(REQUESTED, GRANTED)),
                Sample.of("attention due", after(new HoldRequested(POOL, TERMS, past), GRANTED)),
                Sample.of("overdue", after(new HoldRequested(POOL, TERMS, past), GRANTED, new OverdueNoticed(past))),
                Sample.of(
                        "overdue, to be asked for later",
                        after(
                                new HoldRequested(POOL, TERMS, past),
                                GRANTED,
                                new OverdueNoticed(past),
                                new OrderInquired(1, OrderAnswer.UNKNOWN_ORDER, Optional.of(LATER)))),
                Sample.of(
                        "overdue, to be asked for again",
                        after(
                                new HoldRequested(POOL, TERMS, past),
                                GRANTED,
                                new OverdueNoticed(past),
                                new OrderInquired(1, OrderAnswer.UNREACHED, Optional.of(past)))),
                Sample.of("scheduled", after(scheduledFor(LATER), GRANTED)),
                Sample.of(after(scheduledFor(LATER), GRANTED, new ConfirmScheduled(5, LATER))),
                Sample.of("due", after(scheduledFor(past), GRANTED, new ConfirmScheduled(5, past))),
                Sample.of(after(REQUESTED, GRANTED, CONFIRMING)),
                Sample.of("fewer than held", after(REQUESTED, GRANTED, new ConfirmStarted(3))),
                Sample.of(after(REQUESTED, GRANTED, CONFIRMING, CONFIRMED)),
                Sample.of("partly refunded", after(REQUESTED, GRANTED, CONFIRMING, CONFIRMED, PART_STARTED, PART_DONE)),
                Sample.of(after(REQUESTED, GRANTED, new ReleaseStarted(FAILED))),
                Sample.of(after(REQUESTED, GRANTED, new ReleaseStarted(FAILED), new HoldReleased(5, books(3, 0, 0)))),
                Sample.of("tombstone of a failed order", after(new TombstoneSet(FAILED))),
                Sample.of(
                        "tombstone of a canceled order",
                        after(new TombstoneSet(
                                new Cancellation(Cancellation.Cause.ORDER_CANCELED, Optional.of(ORDER), "buyer")))),
                Sample.of("tombstone, with a late admission", after(TOMBSTONE, LATE)),
                Sample.of("tombstone, whose late admission went back", after(TOMBSTONE, LATE, RETURNED)),
                Sample.of("admitted", after(ADOPTED)),
                Sample.of("admitted, and lost", after(ADOPTED, new AdmissionWasLost(10, 8))),
                Sample.of("of admitted", after(ADOPTED, FROZEN)),
                Sample.of("admitted, off the list", after(ADOPTED, new HandedOff())),
                Sample.of("admitted, its order asked for", after(ADOPTED, new HandedOff(), new OrderRequestSent())),
                Sample.of("part, of what is held", after(REQUESTED, GRANTED, PART_STARTED)),
                Sample.of(
                        "part, of a scheduled order",
                        after(scheduledFor(LATER), GRANTED, new ConfirmScheduled(5, LATER), PART_STARTED)),
                Sample.of("part, of what is sold", after(REQUESTED, GRANTED, CONFIRMING, CONFIRMED, PART_STARTED)),
                Sample.of("all, order canceled", after(REQUESTED, GRANTED, CONFIRMING, CONFIRMED, all)),
                Sample.of(after(
                        REQUESTED,
                        GRANTED,
                        CONFIRMING,
                        CONFIRMED,
                        all,
                        new HoldRefunded(all.refund(), books(4, 0, 0)))),
                Sample.of(after(REQUESTED, new HoldDenied(DenialReason.SHORT, books(1, 0, 8)))),
                Sample.of("of preparing", after(REQUESTED, FROZEN)),
                Sample.of("of reserved", after(REQUESTED, GRANTED, FROZEN)),
                Sample.of("of confirmed", after(REQUESTED, GRANTED, CONFIRMING, CONFIRMED, FROZEN)),
                Sample.of(
                        "of canceling, its compensation waits",
                        after(REQUESTED, GRANTED, new ReleaseStarted(FAILED), AWAITS)));
    }

    @Override
    public List<Sample<ReservationCommand>> commands() {
        Books books = books(4, 0, 5);
        return List.of(
                Sample.of(new Reserve(TERMS, new PoolChoice.Named(POOL), LATER)),
                Sample.of(
                        "other quantity",
                        new Reserve(new Terms(LINE, 4, TERMS.orderType()), new PoolChoice.Named(POOL), LATER)),
                Sample.of("other day's pool, not named", new Reserve(TERMS, new PoolChoice.Derived(otherDay()), LATER)),
                Sample.of("other pool, named", new Reserve(TERMS, new PoolChoice.Named(otherDay()), LATER)),
                Sample.of("with a group", new Reserve(TERMS, new PoolChoice.Named(POOL), LATER, Optional.of(GROUP))),
                Sample.of(CREATED),
                Sample.of("fewer than held", new OrderCreated(ORDER, OptionalLong.of(3))),
                Sample.of("more than held", new OrderCreated(ORDER, OptionalLong.of(6))),
                Sample.of("other order", OrderCreated.whole("order-2")),
                Sample.of(ORDER_FAILED),
                Sample.of("other order", new OrderCreatedFailed("order-2", "payment refused")),
                Sample.of(new OrderCanceled(Optional.of(ORDER), "buyer changed their mind")),
                Sample.of("other order", new OrderCanceled(Optional.of("order-2"), "buyer changed their mind")),
                Sample.of("part", refund(ORDER, PART.id(), PART.quantity())),
                Sample.of("part, other content", refund(ORDER, PART.id(), 1)),
                Sample.of("all", refund(ORDER, "refund-2", 5)),
                Sample.of("all, of whatever order it is", new RefundRequested(Optional.empty(), "refund-2", 5, true)),
                Sample.of("too much", refund(ORDER, "refund-3", 6)),
                Sample.of("other order", refund("order-2", "refund-4", 1)),
                Sample.of("created", new ToldByCaller(CREATED)),
                Sample.of("granted", new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0)))),
                Sample.of("turned down", new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, books(2, 0, 8)))),
                Sample.of(new ConfirmAnswered(5, 0, books)),
                Sample.of("other quantities", new ConfirmAnswered(4, 1, books)),
                Sample.of(new ReleaseAnswered(5, books(3, 0, 0))),
                Sample.of("other quantity", new ReleaseAnswered(4, books(3, 0, 0))),
                Sample.of(ADOPT),
                Sample.of("let in anew", new Adopt(ADMITTED, POOL, books(9, 5, 0), LATER)),
                Sample.of("in another pool", new Adopt(ADMITTED, otherDay(), books(9, 5, 0), LATER)),
                Sample.of(new HandOffAnswered()),
                Sample.of(new OrderRequestAnswered()),
                Sample.of(new AdmissionReturnAnswered(5, books(3, 0, 0))),
                Sample.of(new AdmissionLost(0, 10, 8)),
                Sample.of("by another rebuild", new AdmissionLost(7, 10, 8)),
                Sample.of("part", new RefundAnswered(PART.id(), books(4, 0, 3))),
                Sample.of("all", new RefundAnswered(Refund.ORDER_CANCELED, books(4, 0, 0))),
                Sample.of("part", new RefundCameLate(PART.id())),
                Sample.of("first time", new OrderAnswered(1, OrderAnswer.PUBLISHES)),
                Sample.of("of the Try", new ContradictionFound("TRY:" + ID, "CONFLICT", Map.of("quantity", "4"))),
                Sample.of(
                        "of the Confirm",
                        new ContradictionFound("CONFIRM:" + ID, "CONTRADICTION", Map.of("phase", "CANCELED"))),
                Sample.of(
                        "of the release",
                        new ContradictionFound("RELEASE:" + ID, "CONFIRMED_ALREADY", Map.of("phase", "CONFIRMED"))),
                Sample.of(
                        "of the release",
                        new CompensationDecided("RELEASE:" + ID, Resolution.Ending.CONFIRMED, "the goods went out")),
                Sample.of(
                        "this generation, granted",
                        new AnsweredUnder(0, new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))))),
                Sample.of(
                        "earlier generation, granted",
                        new AnsweredUnder(-1, new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))))),
                Sample.of(new SeeVerification(1)),
                Sample.of(new SeeEpoch(1, new PoolEpoch(POOL, 2))),
                Sample.of(new WakeUp()),
                Sample.of(new Contradicted("message-1")),
                Sample.of(new Freeze("disputed")),
                Sample.of("go on", new Lift(new Resolution.Continue(), "clear")),
                Sample.of("canceled", new Lift(new Resolution.StandAs(Resolution.Ending.CANCELED), "nothing held")),
                Sample.of("refunded", new Lift(new Resolution.StandAs(Resolution.Ending.REFUNDED), "gave back")));
    }

    private static RefundRequested refund(String order, String id, long quantity) {
        return new RefundRequested(Optional.of(order), id, quantity, true);
    }

    private static PoolId otherDay() {
        return PoolId.parse("m-1:soup:2026-07-26");
    }

    private Reservation after(ReservationEvent... past) {
        Reservation state = machine.initial(ID);
        for (ReservationEvent event : past) {
            state = machine.evolve(state, event);
        }
        return state;
    }
}
