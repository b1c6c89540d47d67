package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What a reservation can be told: requests, {@link Fact facts} of the order domain, outcomes of what it owed, orders of a person. */
public sealed interface ReservationCommand
        permits Fact,
                ReservationCommand.ToldByCaller,
                ReservationCommand.Reserve,
                ReservationCommand.Adopt,
                ReservationCommand.HandOffAnswered,
                ReservationCommand.OrderRequestAnswered,
                ReservationCommand.AdmissionReturnAnswered,
                ReservationCommand.AdmissionLost,
                ReservationCommand.HoldAnswered,
                ReservationCommand.ConfirmAnswered,
                ReservationCommand.ReleaseAnswered,
                ReservationCommand.RefundAnswered,
                ReservationCommand.RefundCameLate,
                ReservationCommand.OrderAnswered,
                ReservationCommand.ContradictionFound,
                ReservationCommand.CompensationDecided,
                ReservationCommand.AnsweredUnder,
                ReservationCommand.SeeVerification,
                ReservationCommand.SeeEpoch,
                ReservationCommand.WakeUp,
                ReservationCommand.Contradicted,
                ReservationCommand.Freeze,
                ReservationCommand.Lift {

    /**
     * Asks for a hold.
     *
     * @param attentionAt when an undecided hold is reported as overdue; not part of the content that repeats must agree on
     * @param group the lines it is to be held together with, this one among them; empty for a hold on its own
     * @param epochs of the pools, as far as whoever asks knows them, so that they are journaled with the request; not part of the
     *     content either. One that is missing here is journaled before the pool's script is called.
     */
    record Reserve(Terms terms, PoolChoice pool, Instant attentionAt, Optional<Group> group, Optional<Epochs> epochs)
            implements ReservationCommand {

        /** @throws IllegalArgumentException if the group has no such line in this pool */
        public Reserve {
            if (group.filter(lines -> !lines.lines().contains(new GroupLine(pool.pool(), terms)))
                    .isPresent()) {
                throw new IllegalArgumentException("what is asked for is no line of its group");
            }
        }

        /** A hold on its own. */
        public Reserve(Terms terms, PoolChoice pool, Instant attentionAt) {
            this(terms, pool, attentionAt, Optional.empty());
        }

        /** With a group, and nothing known of the pools. */
        public Reserve(Terms terms, PoolChoice pool, Instant attentionAt, Optional<Group> group) {
            this(terms, pool, attentionAt, group, Optional.empty());
        }

        /** The same, where its pool is known to be at this epoch. */
        public Reserve at(long epoch) {
            return epoch == Epochs.FIRST
                    ? this
                    : new Reserve(
                            terms, pool, attentionAt, group, Epochs.with(epochs, new PoolEpoch(pool.pool(), epoch)));
        }
    }

    /**
     * A caller says so, not the order domain. Refused for a hold that a gate let in, which takes its fate from its order alone; else it is
     * the fact itself.
     */
    record ToldByCaller(Fact fact) implements ReservationCommand {}

    /**
     * A hold that the gate let in is handed over. Never refused: what nobody wants goes back.
     *
     * @param order what its order service is to be asked for; its reservation is this one
     * @param pool that let it in
     * @param books the pool's numbers after that
     * @param attentionAt when an undecided hold is reported as overdue
     */
    record Adopt(OrderCreateRequested order, PoolId pool, Books books, Instant attentionAt)
            implements ReservationCommand {
        /** What was asked for at the gate. Its order has the reservation's id. */
        public Terms terms() {
            String id = order.reservationId();
            var line = new Line(order.activity(), order.sku(), id, id, Optional.of(order.userId()));
            return new Terms(line, order.quantity(), new OrderType.InstantOrder());
        }
    }

    /** The admitted hold is off the list of those to hand over, and its fence is there. */
    record HandOffAnswered() implements ReservationCommand {}

    /** The broker has the message that asks for the order. */
    record OrderRequestAnswered() implements ReservationCommand {}

    /**
     * The admission that nobody wants has gone back.
     *
     * @param released units given back; none where Redis did not have it any more
     */
    record AdmissionReturnAnswered(long released, Books books) implements ReservationCommand {}

    /**
     * Redis has no fence of the admitted hold, its pool is loaded anew, and its units are promised to others. Concerns a hold that was never
     * handed off, and has seen the rebuild that says so; any other is left as it is.
     *
     * @param generation under which that rebuild has told the reservation of itself
     * @param total of the pool
     * @param promised units of the pool that others hold or have bought
     */
    record AdmissionLost(long generation, long total, long promised) implements ReservationCommand {}

    /** How the Try ended. */
    record HoldAnswered(HoldAnswer answer) implements ReservationCommand {}

    /** Answer to a Try. */
    sealed interface HoldAnswer {
        /** Held. */
        record Granted(Books books) implements HoldAnswer {}

        /** Not held, for good. */
        record Turned(DenialReason reason, Books books) implements HoldAnswer {}
    }

    /**
     * The Confirm is done.
     *
     * @param confirmed units that became sold
     * @param released units that became available because the order does not want them
     */
    record ConfirmAnswered(long confirmed, long released, Books books) implements ReservationCommand {}

    /**
     * The release is done.
     *
     * @param released units given back
     */
    record ReleaseAnswered(long released, Books books) implements ReservationCommand {}

    /** The refund of this id is done. */
    record RefundAnswered(String refundId, Books books) implements ReservationCommand {}

    /** The pool has ended, so the refund of this id has no stock to move. */
    record RefundCameLate(String refundId) implements ReservationCommand {}

    /** The order domain was asked, for this time, to publish the order's events again. */
    record OrderAnswered(int number, OrderAnswer answer) implements ReservationCommand {}

    /**
     * What Redis says contradicts the journal: nothing moved.
     *
     * @param operationId the operation that was answered so
     * @param answer the script's answer
     * @param evidence what else it said
     */
    record ContradictionFound(String operationId, String answer, Map<String, String> evidence)
            implements ReservationCommand {
        public ContradictionFound {
            evidence = Map.copyOf(evidence);
        }
    }

    /**
     * A person decided at the compensation that nothing moves, and how the reservation has ended.
     *
     * @param operationId the compensation's key
     * @param reason why, as that person put it
     */
    record CompensationDecided(String operationId, Resolution.Ending ending, String reason)
            implements ReservationCommand {}

    /**
     * An outcome, with the generation of its effect. One of another generation is not recorded: a verification may have counted the
     * operation as not done, because the Redis process that did it is gone.
     */
    record AnsweredUnder(long generation, ReservationCommand outcome) implements ReservationCommand {}

    /**
     * The pool is being compared with the journals. From here on nothing is recorded that Redis answered before; what is owed is asked
     * for again.
     *
     * @param number the generation of what is owed from here on; one that is seen already changes nothing
     */
    record SeeVerification(long number) implements ReservationCommand {}

    /**
     * A pool was loaded anew, or is being, under this epoch. Its scripts are called under it once that is journaled, and not before: whoever
     * can't journal it is not the one who may call.
     *
     * @param number the generation of what is owed from here on, as in {@link SeeVerification}
     */
    record SeeEpoch(long number, PoolEpoch seen) implements ReservationCommand {}

    /** The time the state waits for may have come. */
    record WakeUp() implements ReservationCommand {}

    /** An event came under a known cause id with other content. */
    record Contradicted(String causeId) implements ReservationCommand {}

    /** A person sets the review mark. */
    record Freeze(String reason) implements ReservationCommand {}

    /** A person lifts the review mark. */
    record Lift(Resolution resolution, String reason) implements ReservationCommand {}
}
