package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.LateAdmission;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.Terms;
import java.util.Optional;

/** Which events of a reservation change the numbers of its pool, and by how much. */
public final class ReservationChanges {

    private ReservationChanges() {}

    /**
     * What the event changed; empty where it moved no number.
     *
     * @param before the reservation before the event
     * @throws IllegalStateException if no such reservation can have met the event
     */
    public static Optional<LedgerChange> of(Reservation before, ReservationEvent event) {
        return switch (event) {
            case ReservationEvent.HoldGranted(Books books) -> {
                long units = claim(before).terms().quantity();
                yield change(before, LedgerAction.TRY, "TRY:" + before.id(), units, StockMove.held(units), books);
            }
            case ReservationEvent.HoldAdopted e ->
                admitted(
                        before,
                        e.pool(),
                        LedgerAction.TRY,
                        "ADMIT:" + before.id(),
                        e.terms().quantity(),
                        StockMove.held(e.terms().quantity()),
                        e.books());
            case ReservationEvent.AdmissionCameLate(PoolId pool, Terms terms, Books books) ->
                admitted(
                        before,
                        pool,
                        LedgerAction.TRY,
                        "ADMIT:" + before.id() + ":" + at(books),
                        terms.quantity(),
                        StockMove.held(terms.quantity()),
                        books);
            case ReservationEvent.AdmissionReturned(long released, Books books) -> {
                LateAdmission late = before.late().orElseThrow();
                yield released == 0
                        ? Optional.empty()
                        : admitted(
                                before,
                                late.pool(),
                                LedgerAction.CANCEL,
                                "RETURN:" + before.id() + ":" + at(late.books()),
                                released,
                                StockMove.released(released, books),
                                books);
            }
            case ReservationEvent.HoldConfirmed(long confirmed, long released, Books books) ->
                change(
                        before,
                        LedgerAction.CONFIRM,
                        "CONFIRM:" + before.id(),
                        confirmed,
                        StockMove.confirmed(confirmed, released, books),
                        books);
            case ReservationEvent.HoldReleased(long released, Books books) ->
                released == 0
                        ? Optional.empty()
                        : change(
                                before,
                                LedgerAction.CANCEL,
                                "RELEASE:" + before.id(),
                                released,
                                StockMove.released(released, books),
                                books);
            case ReservationEvent.HoldRefunded(Refund refund, Books books) -> refunded(before, refund, books);
            case ReservationEvent.HoldRequested _,
                    ReservationEvent.HandedOff _,
                    ReservationEvent.OrderRequestSent _,
                    ReservationEvent.HoldDenied _,
                    ReservationEvent.TombstoneSet _,
                    // The book in which it was counted is closed: the rebuild opens the next one without it.
                    ReservationEvent.AdmissionWasLost _,
                    ReservationEvent.FactNoted _,
                    ReservationEvent.RequestAwaited _,
                    ReservationEvent.FactRefused _,
                    ReservationEvent.ConfirmScheduled _,
                    ReservationEvent.ConfirmStarted _,
                    ReservationEvent.ReleaseStarted _,
                    ReservationEvent.RefundStarted _,
                    // Its pool had ended: the journal alone knows.
                    ReservationEvent.RefundRecorded _,
                    ReservationEvent.OverdueNoticed _,
                    ReservationEvent.InquiryStarted _,
                    ReservationEvent.OrderInquired _,
                    ReservationEvent.VerificationSeen _,
                    ReservationEvent.EpochSeen _,
                    ReservationEvent.ReviewOpened _,
                    ReservationEvent.ReviewLifted _,
                    ReservationEvent.ContradictionNoticed _ -> Optional.empty();
        };
    }

    /** Whether the cause of this event is the cause of what Redis is asked for next. */
    public static boolean leadsOn(ReservationEvent event) {
        return switch (event) {
            case ReservationEvent.HoldRequested _,
                    ReservationEvent.HoldAdopted _,
                    ReservationEvent.AdmissionCameLate _,
                    ReservationEvent.FactNoted _,
                    ReservationEvent.ConfirmScheduled _,
                    ReservationEvent.ConfirmStarted _,
                    ReservationEvent.ReleaseStarted _,
                    ReservationEvent.RefundStarted _,
                    ReservationEvent.ReviewLifted _ -> true;
            case ReservationEvent.HoldGranted _,
                    ReservationEvent.HandedOff _,
                    ReservationEvent.OrderRequestSent _,
                    ReservationEvent.AdmissionReturned _,
                    ReservationEvent.AdmissionWasLost _,
                    ReservationEvent.HoldDenied _,
                    ReservationEvent.TombstoneSet _,
                    ReservationEvent.RequestAwaited _,
                    ReservationEvent.FactRefused _,
                    ReservationEvent.HoldConfirmed _,
                    ReservationEvent.HoldReleased _,
                    ReservationEvent.HoldRefunded _,
                    ReservationEvent.RefundRecorded _,
                    ReservationEvent.OverdueNoticed _,
                    ReservationEvent.InquiryStarted _,
                    ReservationEvent.OrderInquired _,
                    ReservationEvent.VerificationSeen _,
                    ReservationEvent.EpochSeen _,
                    ReservationEvent.ReviewOpened _,
                    ReservationEvent.ContradictionNoticed _ -> false;
        };
    }

    private static Optional<LedgerChange> refunded(Reservation before, Refund refund, Books books) {
        if (!(before.unmarked() instanceof Reservation.Refunding refunding)) {
            throw new IllegalStateException(before.id() + ": a refund ended that had not begun");
        }
        boolean wasSold = refunding.origin() == Reservation.Origin.CONFIRMED;
        long units = refund.quantity();
        StockMove move;
        if (refund.restock()) {
            move = wasSold ? StockMove.returned(units, books) : StockMove.released(units, books);
        } else if (wasSold) {
            return Optional.empty(); // goods that were sold and stay sold
        } else {
            move = StockMove.keptSold(units);
        }
        String operationId = "REFUND:" + before.id() + ":" + refund.id();
        // The other operations are at most one each, or the reservation's journal can't be followed.
        boolean again = refunding.account().refunds().containsKey(refund.id());
        return change(before, LedgerAction.REFUND, operationId, units, move, books, again);
    }

    private static Optional<LedgerChange> change(
            Reservation before, LedgerAction action, String operationId, long quantity, StockMove move, Books after) {
        return change(before, action, operationId, quantity, move, after, false);
    }

    private static Optional<LedgerChange> change(
            Reservation before,
            LedgerAction action,
            String operationId,
            long quantity,
            StockMove move,
            Books after,
            boolean again) {
        Claim claim = claim(before);
        return Optional.of(new LedgerChange(
                claim.pool().value(),
                action,
                operationId,
                Optional.of(before.id()),
                Optional.of(claim.terms().line().orderId()),
                quantity,
                move,
                after,
                again));
    }

    /** Tells two admissions of one reservation apart. */
    private static String at(Books books) {
        return books.epoch() + "." + books.version();
    }

    /** By the gate: the pool is the one that let it in, which need not be the reservation's; and its order has the reservation's id. */
    private static Optional<LedgerChange> admitted(
            Reservation before,
            PoolId pool,
            LedgerAction action,
            String operationId,
            long quantity,
            StockMove move,
            Books after) {
        return Optional.of(new LedgerChange(
                pool.value(),
                action,
                operationId,
                Optional.of(before.id()),
                Optional.of(before.id()),
                quantity,
                move,
                after,
                false));
    }

    private static Claim claim(Reservation before) {
        return before.asked().orElseThrow(() -> new IllegalStateException(before.id() + ": nothing was asked for"));
    }
}
