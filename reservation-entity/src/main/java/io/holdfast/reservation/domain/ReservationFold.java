package io.holdfast.reservation.domain;

import io.holdfast.reservation.domain.OrderType.InstantOrder;
import io.holdfast.reservation.domain.OrderType.ScheduledOrder;
import io.holdfast.reservation.domain.Reservation.Accounted;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Claimed;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Origin;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.Reservation.Unmarked;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionWasLost;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
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
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.RequestAwaited;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.ReservationEvent.VerificationSeen;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What a reservation's events add up to. Total over everything {@link ReservationMachine} can decide; an event that no decision gives in
 * a state is a journal this code did not write, and stops the entity.
 */
final class ReservationFold {

    private ReservationFold() {}

    static Reservation evolve(Reservation state, ReservationEvent event) {
        return switch (event) {
            case HoldRequested e
            when state instanceof None none ->
                new Preparing(
                        new Claim(none.id(), e.pool(), e.terms(), e.attentionAt(), 0, e.group(), e.epochs()),
                        none.noted().stream()
                                .filter(fact -> !FactRules.isOfOther(
                                        fact, e.terms().line().orderId()))
                                .toList(),
                        none.refused());
            case HoldAdopted e when state instanceof None none -> adopted(none, e);
            case HoldAdopted e
            when state instanceof UnderReview(None none, Review review, List<Fact> noted) -> {
                List<Fact> all = new ArrayList<>(none.noted());
                all.addAll(noted);
                yield new UnderReview(adopted(none, e), review, all);
            }
            case HandedOff _
            when state.unmarked() instanceof Reserved -> with(state, claim -> claim.at(Admission.Stage.HANDED_OFF));
            case OrderRequestSent _
            when state.unmarked() instanceof Reserved -> with(state, claim -> claim.at(Admission.Stage.REQUESTED));
            case AdmissionCameLate(PoolId pool, Terms terms, Books books)
            when !(state.unmarked() instanceof None) -> late(state, LateAdmission.come(pool, terms, books));
            case AdmissionReturned _
            when state.late().isPresent() -> late(state, state.late().get().gone());
            case AdmissionWasLost lost when state instanceof Reserved reserved -> lost(reserved, lost);
            case AdmissionWasLost lost
            when state instanceof UnderReview(Reserved reserved, Review review, List<Fact> noted) ->
                new UnderReview(lost(reserved, lost), review, noted);
            case HoldGranted(Books books)
            when state instanceof Preparing(Claim claim, var _, var refused) ->
                Reserved.fresh(claim, Account.opened(claim.terms().quantity(), books, refused));
            case HoldDenied(DenialReason reason, Books books)
            when state instanceof Preparing(Claim claim, var _, var refused) ->
                new Rejected(claim, reason, books, refused);
            case TombstoneSet(Cancellation cancellation)
            when state instanceof None none ->
                new Canceled(none.id(), Optional.empty(), Optional.empty(), cancellation, none.refused());
            case RequestAwaited(Instant attentionAt)
            when state instanceof None s -> new None(s.id(), s.noted(), s.refused(), Optional.of(attentionAt), false);
            case FactNoted(Fact fact) -> noting(state, fact, event);
            case FactRefused(Fact fact, ReservationRefusal reason) -> refusing(state, new RefusedFact(fact, reason));
            case ConfirmScheduled(long ordered, Instant at)
            when state instanceof Reserved reserved ->
                new CreatedReserved(reserved.claim(), reserved.account().ordering(ordered), at);
            case ConfirmStarted(long ordered)
            when state instanceof Reserved reserved ->
                new Confirming(reserved.claim(), reserved.account().ordering(ordered), List.of());
            case ConfirmStarted(long ordered)
            when state instanceof CreatedReserved created ->
                new Confirming(created.claim(), created.account().ordering(ordered), List.of());
            case HoldConfirmed(long confirmed, long released, Books books)
            when state instanceof Confirming confirming ->
                new Confirmed(confirming.claim(), confirming.account().releasing(released, books), confirmed);
            case ReleaseStarted(Cancellation cancellation)
            when state instanceof Reserved reserved ->
                new Canceling(reserved.claim(), reserved.account(), cancellation, List.of());
            case HoldReleased(var _, Books books)
            when state instanceof Canceling canceling ->
                new Canceled(
                        canceling.id(),
                        Optional.of(canceling.claim()),
                        Optional.of(canceling.account().givenUp(books)),
                        canceling.cancellation(),
                        canceling.refusedFacts());
            case RefundStarted e
            when state instanceof Reserved s -> refunding(s, e, Origin.RESERVED, OptionalLong.empty());
            case RefundStarted e
            when state instanceof CreatedReserved s -> refunding(s, e, Origin.CREATED_RESERVED, OptionalLong.empty());
            case RefundStarted e
            when state instanceof Confirmed s -> refunding(s, e, Origin.CONFIRMED, OptionalLong.of(s.confirmed()));
            case HoldRefunded(Refund refund, Books books)
            when state instanceof Refunding refunding ->
                refunded(refunding, refunding.account().refunding(refund, books));
            case RefundRecorded(Refund refund)
            when state instanceof Refunding refunding ->
                refunded(
                        refunding,
                        refunding
                                .account()
                                .refunding(refund, refunding.account().latest()));
            case OverdueNoticed _
            when state instanceof None s -> new None(s.id(), s.noted(), s.refused(), s.attentionAt(), true);
            case OverdueNoticed _ when state instanceof Reserved reserved -> reserved.overdue(Inquiry.owed(1));
            case InquiryStarted(int number)
            when state instanceof Reserved reserved -> reserved.overdue(Inquiry.owed(number));
            case OrderInquired(int number, OrderAnswer answer, Optional<Instant> nextAt)
            when state instanceof Reserved reserved ->
                reserved.overdue(new Inquiry(number, Optional.of(answer), nextAt));
            case ReviewOpened(Review review)
            when state instanceof Unmarked plain -> new UnderReview(plain, review, List.of());
            case ReviewLifted(Resolution resolution, String reason)
            when state instanceof UnderReview marked ->
                switch (resolution) {
                    case Resolution.Continue() -> marked.state();
                    case Resolution.StandAs(Ending ending) -> standingAs(marked.state(), ending, reason);
                };
            case ContradictionNoticed _ -> state;
            case VerificationSeen(long generation) -> with(state, claim -> claim.under(generation));
            case EpochSeen(long generation, PoolId pool, long epoch) ->
                seeing(state, generation, new PoolEpoch(pool, epoch));
            case HoldRequested _,
                    HoldAdopted _,
                    HandedOff _,
                    OrderRequestSent _,
                    AdmissionCameLate _,
                    AdmissionReturned _,
                    AdmissionWasLost _,
                    HoldGranted _,
                    HoldDenied _,
                    TombstoneSet _,
                    RequestAwaited _,
                    ConfirmScheduled _,
                    ConfirmStarted _,
                    HoldConfirmed _,
                    ReleaseStarted _,
                    HoldReleased _,
                    RefundStarted _,
                    HoldRefunded _,
                    RefundRecorded _,
                    OverdueNoticed _,
                    InquiryStarted _,
                    OrderInquired _,
                    ReviewOpened _,
                    ReviewLifted _ -> throw impossible(state, event);
        };
    }

    private static Reserved adopted(None none, HoldAdopted event) {
        var claim = new Claim(
                none.id(),
                event.pool(),
                event.terms(),
                event.attentionAt(),
                0,
                Optional.empty(),
                Epochs.with(
                        Optional.empty(),
                        new PoolEpoch(event.pool(), event.books().epoch())),
                Optional.of(new Admission(event.order(), Admission.Stage.LISTED)),
                Optional.empty());
        return Reserved.fresh(claim, Account.opened(event.terms().quantity(), event.books(), none.refused()));
    }

    /** As one that went back, though nothing did: of what its admission counted nothing is left. */
    private static Canceled lost(Reserved state, AdmissionWasLost event) {
        Claim claim = state.claim();
        var cancellation = new Cancellation(
                Cancellation.Cause.ADMISSION_LOST,
                Optional.of(claim.terms().line().orderId()),
                "Redis lost the admission before it was handed off, and " + event.promised() + " of " + event.total()
                        + " units are promised to others");
        return new Canceled(
                claim.id(),
                Optional.of(claim),
                Optional.of(state.account().givenUp(state.account().latest())),
                cancellation,
                state.refusedFacts());
    }

    private static Reservation seeing(Reservation state, long generation, PoolEpoch seen) {
        Reservation next = with(state, claim -> claim.under(generation, seen));
        return next.asked().isEmpty() && next.late().isPresent()
                ? late(next, next.late().get().under(seen))
                : next;
    }

    private static Reservation late(Reservation state, LateAdmission late) {
        return state instanceof Canceled(var id, var claim, var account, var cancellation, var refused, var _)
                        && claim.isEmpty()
                ? new Canceled(id, claim, account, cancellation, refused, Optional.of(late))
                : with(state, claim -> claim.with(late));
    }

    private static Refunding refunding(Accounted state, RefundStarted event, Origin origin, OptionalLong confirmed) {
        return new Refunding(
                state.claim(), state.account().ordering(event.ordered()), event.refund(), origin, confirmed, List.of());
    }

    private static Reservation refunded(Refunding before, Account account) {
        if (account.remaining() == 0) {
            return new Refunded(before.claim(), account, before.confirmed());
        }
        return switch (before.origin()) {
            // Not a resting place: the refund implied the order, so the same decision goes on by its type.
            case RESERVED -> Reserved.fresh(before.claim(), account);
            case CREATED_RESERVED -> new CreatedReserved(before.claim(), account, processingTime(before.claim()));
            case CONFIRMED ->
                new Confirmed(before.claim(), account, before.confirmed().orElseThrow());
        };
    }

    private static Instant processingTime(Claim claim) {
        return switch (claim.terms().orderType()) {
            case ScheduledOrder(Instant at) -> at;
            case InstantOrder() ->
                throw new IllegalStateException("an instant order has no processing time: " + claim.id());
        };
    }

    private static Reservation noting(Reservation state, Fact fact, ReservationEvent event) {
        return switch (state) {
            case None s -> new None(s.id(), with(s.noted(), fact), s.refused(), s.attentionAt(), s.overdue());
            case Preparing s -> new Preparing(s.claim(), with(s.noted(), fact), s.refused());
            case Confirming s -> new Confirming(s.claim(), s.account(), with(s.noted(), fact));
            case Canceling s -> new Canceling(s.claim(), s.account(), s.cancellation(), with(s.noted(), fact));
            case Refunding s ->
                new Refunding(s.claim(), s.account(), s.refund(), s.origin(), s.confirmed(), with(s.noted(), fact));
            case UnderReview s -> new UnderReview(s.state(), s.review(), with(s.noted(), fact));
            case Reserved _, CreatedReserved _, Confirmed _, Canceled _, Refunded _, Rejected _ ->
                throw impossible(state, event);
        };
    }

    private static <T> List<T> with(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    /** Facts the state has noted itself. */
    static List<Fact> noted(Unmarked state) {
        return switch (state) {
            case None s -> s.noted();
            case Preparing s -> s.noted();
            case Confirming s -> s.noted();
            case Canceling s -> s.noted();
            case Refunding s -> s.noted();
            case Reserved _, CreatedReserved _, Confirmed _, Canceled _, Refunded _, Rejected _ -> List.of();
        };
    }

    private static Reservation refusing(Reservation state, RefusedFact fact) {
        return state instanceof UnderReview marked
                ? new UnderReview(
                        withRefused(marked.state(), with(marked.refusedFacts(), fact)), marked.review(), marked.noted())
                : withRefused(state.unmarked(), with(state.refusedFacts(), fact));
    }

    private static Unmarked withRefused(Unmarked state, List<RefusedFact> facts) {
        return switch (state) {
            case None s -> new None(s.id(), s.noted(), facts, s.attentionAt(), s.overdue());
            case Preparing s -> new Preparing(s.claim(), s.noted(), facts);
            case Rejected s -> new Rejected(s.claim(), s.reason(), s.books(), facts);
            case Canceled s -> new Canceled(s.id(), s.claim(), s.account(), s.cancellation(), facts, s.lateAdmission());
            case Accounted s -> withAccount(s, s.account().withRefused(facts));
        };
    }

    private static Unmarked withAccount(Accounted state, Account account) {
        return switch (state) {
            case Reserved s -> new Reserved(s.claim(), account, s.overdue(), s.inquiry());
            case CreatedReserved s -> new CreatedReserved(s.claim(), account, s.processingTime());
            case Confirming s -> new Confirming(s.claim(), account, s.noted());
            case Confirmed s -> new Confirmed(s.claim(), account, s.confirmed());
            case Canceling s -> new Canceling(s.claim(), account, s.cancellation(), s.noted());
            case Refunding s -> new Refunding(s.claim(), account, s.refund(), s.origin(), s.confirmed(), s.noted());
            case Refunded s -> new Refunded(s.claim(), account, s.confirmed());
        };
    }

    /** Whether a person may declare that a reservation in this state stands like this. */
    static boolean canStandAs(Unmarked state, Ending ending) {
        return switch (state) {
            case Preparing _ -> ending == Ending.CANCELED;
            case Reserved _, CreatedReserved _, Confirming _, Canceling _, Refunding _ -> true;
            case Confirmed _ -> ending == Ending.REFUNDED;
            case None _, Canceled _, Refunded _, Rejected _ -> false;
        };
    }

    /** What was refused before was refused in another history: it is decided anew if it comes again. */
    private static Reservation standingAs(Unmarked state, Ending ending, String reason) {
        if (!(state instanceof Claimed claimed)) {
            throw new IllegalStateException("nobody asked for " + state.id() + ", it can't be declared " + ending);
        }
        return switch (ending) {
            case CANCELED ->
                new Canceled(
                        claimed.id(),
                        Optional.of(claimed.claim()),
                        claimed.units().map(account -> account.givenUp(account.latest())),
                        new Cancellation(Cancellation.Cause.OPERATOR, claimed.order(), reason),
                        List.of());
            case CONFIRMED -> {
                Account account = account(claimed, ending).withRefused(List.of());
                yield new Confirmed(
                        claimed.claim(), account.releasing(account.surplus(), account.latest()), account.remaining());
            }
            case REFUNDED -> {
                Account account = account(claimed, ending).withRefused(List.of());
                OptionalLong confirmed =
                        claimed instanceof Confirmed sold ? OptionalLong.of(sold.confirmed()) : OptionalLong.empty();
                yield new Refunded(
                        claimed.claim(),
                        account.remaining() == 0
                                ? account
                                : account.refunding(
                                        new Refund(Refund.DECLARED, account.remaining(), true), account.latest()),
                        confirmed);
            }
        };
    }

    private static Account account(Claimed state, Ending ending) {
        return state.units()
                .orElseThrow(() ->
                        new IllegalStateException("nothing is held for " + state.id() + ", it can't be " + ending));
    }

    private static Reservation with(Reservation state, UnaryOperator<Claim> change) {
        return switch (state) {
            case UnderReview s -> new UnderReview(with(s.state(), change), s.review(), s.noted());
            case Unmarked s -> with(s, change);
        };
    }

    private static Unmarked with(Unmarked state, UnaryOperator<Claim> change) {
        return switch (state) {
            case None s -> s;
            case Preparing s -> new Preparing(change.apply(s.claim()), s.noted(), s.refused());
            case Reserved s -> new Reserved(change.apply(s.claim()), s.account(), s.overdue(), s.inquiry());
            case CreatedReserved s -> new CreatedReserved(change.apply(s.claim()), s.account(), s.processingTime());
            case Confirming s -> new Confirming(change.apply(s.claim()), s.account(), s.noted());
            case Confirmed s -> new Confirmed(change.apply(s.claim()), s.account(), s.confirmed());
            case Canceling s -> new Canceling(change.apply(s.claim()), s.account(), s.cancellation(), s.noted());
            case Canceled s ->
                new Canceled(
                        s.id(), s.claim().map(change), s.account(), s.cancellation(), s.refused(), s.lateAdmission());
            case Refunding s ->
                new Refunding(change.apply(s.claim()), s.account(), s.refund(), s.origin(), s.confirmed(), s.noted());
            case Refunded s -> new Refunded(change.apply(s.claim()), s.account(), s.confirmed());
            case Rejected s -> new Rejected(change.apply(s.claim()), s.reason(), s.books(), s.refused());
        };
    }

    private static IllegalStateException impossible(Reservation state, ReservationEvent event) {
        return new IllegalStateException("reservation " + state.id() + " in " + state.status() + " can't have met "
                + event.getClass().getSimpleName());
    }
}
