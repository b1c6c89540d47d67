package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;

/** What happened to a reservation. The records' names and components are the journal's format. */
public sealed interface ReservationEvent {

    /**
     * A hold was asked for.
     *
     * @param group the lines it is held together with, this one among them; empty for a hold on its own
     * @param epochs of its pools; empty while all of them are at their first
     */
    record HoldRequested(PoolId pool, Terms terms, Instant attentionAt, Optional<Group> group, Optional<Epochs> epochs)
            implements ReservationEvent {

        /** A hold on its own. */
        public HoldRequested(PoolId pool, Terms terms, Instant attentionAt) {
            this(pool, terms, attentionAt, Optional.empty());
        }

        /** In pools that were never loaded anew. */
        public HoldRequested(PoolId pool, Terms terms, Instant attentionAt, Optional<Group> group) {
            this(pool, terms, attentionAt, group, Optional.empty());
        }
    }

    /**
     * A hold that the gate let in is this reservation's: the units are held.
     *
     * @param order what its order service is asked for, once the hold is off the list of those to hand over
     * @param books the pool's numbers after it was let in
     */
    record HoldAdopted(PoolId pool, Terms terms, Instant attentionAt, OrderCreateRequested order, Books books)
            implements ReservationEvent {}

    /** The admitted hold is off the list of those to hand over; its fence was there. The message to the order service is owed. */
    record HandedOff() implements ReservationEvent {}

    /** The broker has the message that asks for the order, at least once. */
    record OrderRequestSent() implements ReservationEvent {}

    /**
     * The gate let the request in although the reservation had ended, or holds units of another pool: it goes back.
     *
     * @param terms what was asked for at the gate
     * @param books the pool's numbers after it was let in
     */
    record AdmissionCameLate(PoolId pool, Terms terms, Books books) implements ReservationEvent {}

    /**
     * It went back.
     *
     * @param released units; none where Redis did not have it any more
     */
    record AdmissionReturned(long released, Books books) implements ReservationEvent {}

    /**
     * Redis has lost the admission before it was handed off, and its units are promised to others: it holds nothing, and has nothing to give
     * back. The pool is loaded anew without it.
     *
     * @param total of the pool
     * @param promised units of the pool that others held or had bought
     */
    record AdmissionWasLost(long total, long promised) implements ReservationEvent {}

    /** The units are held. */
    record HoldGranted(Books books) implements ReservationEvent {}

    /** The units are not held, for good. */
    record HoldDenied(DenialReason reason, Books books) implements ReservationEvent {}

    /** The end came before the request: a later one will be refused. Nothing was or will be held. */
    record TombstoneSet(Cancellation cancellation) implements ReservationEvent {}

    /** A fact came while it could not be decided yet. */
    record FactNoted(Fact fact) implements ReservationEvent {}

    /**
     * The order of a hold that nobody asked for yet is known.
     *
     * @param attentionAt when that is reported as overdue, unless the hold was asked for; never a reason to do anything else
     */
    record RequestAwaited(Instant attentionAt) implements ReservationEvent {}

    /** A fact was refused: it moved nothing. {@link ReservationRefusal#conflict()} says whether somebody must look. */
    record FactRefused(Fact fact, ReservationRefusal reason) implements ReservationEvent {}

    /**
     * The scheduled order exists; its units are sold at the processing time.
     *
     * @param ordered units the order wants
     */
    record ConfirmScheduled(long ordered, Instant processingTime) implements ReservationEvent {}

    /**
     * The order takes its units.
     *
     * @param ordered units the order wants, refunds not taken off
     */
    record ConfirmStarted(long ordered) implements ReservationEvent {}

    /** The units are sold; those the order does not want are available again. */
    record HoldConfirmed(long confirmed, long released, Books books) implements ReservationEvent {}

    /** The hold is being given back: there will be no order. */
    record ReleaseStarted(Cancellation cancellation) implements ReservationEvent {}

    /** The hold was given back. */
    record HoldReleased(long released, Books books) implements ReservationEvent {}

    /**
     * Units of the order are being given back.
     *
     * @param ordered units the order wants
     */
    record RefundStarted(Refund refund, long ordered) implements ReservationEvent {}

    /** They were. */
    record HoldRefunded(Refund refund, Books books) implements ReservationEvent {}

    /** They were, after the pool had been archived: in the journals alone, no stock moved. */
    record RefundRecorded(Refund refund) implements ReservationEvent {}

    /** The fate of the order, or the request for the hold of a known order, is overdue. Never a reason to cancel. */
    record OverdueNoticed(Instant attentionAt) implements ReservationEvent {}

    /** The order domain is to be asked again to publish the order's events. */
    record InquiryStarted(int number) implements ReservationEvent {}

    /**
     * The order domain was asked to publish the order's events again. Nothing moved, whatever it said.
     *
     * @param nextAt when it is asked again; empty when it is not any more
     */
    record OrderInquired(int number, OrderAnswer answer, Optional<Instant> nextAt) implements ReservationEvent {}

    /**
     * The pool is being compared with the journals; what Redis answered before is not recorded any more.
     *
     * @param number generation of what is owed from here on
     */
    record VerificationSeen(long number) implements ReservationEvent {}

    /**
     * A pool was loaded anew, or is being: from here on its scripts may be called under this epoch. What Redis answered to an earlier
     * generation is not recorded any more.
     *
     * @param number generation of what is owed from here on
     */
    record EpochSeen(long number, PoolId pool, long epoch) implements ReservationEvent {}

    /** A person must look; nothing is owed until then. */
    record ReviewOpened(Review review) implements ReservationEvent {}

    /** A person has decided. */
    record ReviewLifted(Resolution resolution, String reason) implements ReservationEvent {}

    /** Of an ended or already marked reservation: an event came under a known cause id with other content. It moved nothing. */
    record ContradictionNoticed(String causeId) implements ReservationEvent {}
}
