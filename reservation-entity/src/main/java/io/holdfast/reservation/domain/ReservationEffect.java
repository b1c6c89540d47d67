package io.holdfast.reservation.domain;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import java.time.Instant;
import java.util.Optional;

/** What a reservation may owe: to its pool, and, when nothing is heard of its order, to whoever can be asked. */
public sealed interface ReservationEffect extends Effect {

    /** The pool it moves, or whose units are held. */
    PoolId pool();

    /** The reservation whose fence guards it. */
    String reservationId();

    /** Generation of the reservation; goes back with the outcome, and is no part of what is done. */
    long generation();

    /**
     * Moves {@code quantity} from available to reserved.
     *
     * @param epoch of the pool, as the journal has it: the only one to call its script under
     */
    record TryHold(String reservationId, PoolId pool, long quantity, long generation, long epoch, RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String operationId() {
            return "TRY:" + reservationId;
        }

        @Override
        public String name() {
            return "try";
        }
    }

    /**
     * Finds out what becomes of the line's group: as the line that decides, by moving the units of all lines from available to reserved, or
     * of none; as any other, from that one.
     *
     * @param attentionAt for the lines that have not been asked for yet
     * @param epochs of the pools of the group, as the journal has them: the only ones to call their script under
     */
    record TryGroup(
            String reservationId,
            PoolId pool,
            Group group,
            Instant attentionAt,
            long generation,
            Optional<Epochs> epochs,
            RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String operationId() {
            return "TRY:" + reservationId;
        }

        @Override
        public String name() {
            return "order-try";
        }
    }

    /** Has an admitted hold taken off the list of those to hand over, and makes sure that its fence is there. */
    record HandOff(String reservationId, PoolId pool, long generation, long epoch, RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String operationId() {
            return "HANDED_OFF:" + reservationId;
        }

        @Override
        public String name() {
            return "hand-off";
        }
    }

    /** Asks the order service for the order of an admitted hold, with the one message that says so. */
    record RequestOrder(PoolId pool, OrderCreateRequested order, long generation, RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String reservationId() {
            return order.reservationId();
        }

        @Override
        public String operationId() {
            return "SEND:" + order.messageId();
        }

        @Override
        public String name() {
            return "request-order";
        }
    }

    /** Gives back what the gate let in for a reservation that does not want it. */
    record ReturnAdmission(
            String reservationId, PoolId pool, long quantity, long generation, long epoch, RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String operationId() {
            return "RELEASE:" + reservationId;
        }

        @Override
        public String name() {
            return "return-admission";
        }
    }

    /**
     * Moves {@code quantity} from reserved to sold, and what else the fence still holds to available.
     *
     * @param epoch as in {@link TryHold}
     * @param admitted whether the hold came in by the gate
     */
    record ConfirmHold(
            String reservationId,
            PoolId pool,
            long quantity,
            long generation,
            long epoch,
            boolean admitted,
            RetryPolicy retry)
            implements ReservationEffect {
        /** Of a hold that did not come in by the gate. */
        public ConfirmHold(
                String reservationId, PoolId pool, long quantity, long generation, long epoch, RetryPolicy retry) {
            this(reservationId, pool, quantity, generation, epoch, false, retry);
        }

        @Override
        public String operationId() {
            return "CONFIRM:" + reservationId;
        }

        @Override
        public String name() {
            return "confirm";
        }
    }

    /** What gives stock back, under a key that is the identity of a compensation. */
    sealed interface GivesBack extends ReservationEffect {}

    /**
     * Asks the compensation that waits for a person what was decided. Nothing is asked of Redis.
     *
     * @param owed what waits
     */
    record AwaitCompensation(GivesBack owed, RetryPolicy retry) implements ReservationEffect {
        @Override
        public PoolId pool() {
            return owed.pool();
        }

        @Override
        public String reservationId() {
            return owed.reservationId();
        }

        @Override
        public long generation() {
            return owed.generation();
        }

        @Override
        public String operationId() {
            return owed.operationId();
        }

        @Override
        public String name() {
            return "await-compensation";
        }
    }

    /**
     * Moves a hold from reserved back to available.
     *
     * @param expectHeld units the journal says are held
     * @param epoch as in {@link TryHold}
     * @param admitted as in {@link ConfirmHold}
     */
    record ReleaseHold(
            String reservationId,
            PoolId pool,
            long expectHeld,
            long generation,
            long epoch,
            boolean admitted,
            RetryPolicy retry)
            implements GivesBack {
        /** Of a hold that did not come in by the gate. */
        public ReleaseHold(
                String reservationId, PoolId pool, long expectHeld, long generation, long epoch, RetryPolicy retry) {
            this(reservationId, pool, expectHeld, generation, epoch, false, retry);
        }

        @Override
        public String operationId() {
            return "RELEASE:" + reservationId;
        }

        @Override
        public String name() {
            return "release";
        }
    }

    /**
     * Asks the order domain to publish the events of an order again, for nothing is known of it for too long.
     *
     * @param line of the order
     * @param number how often it has been asked, this time included
     */
    record AskOrder(String reservationId, PoolId pool, Line line, int number, long generation, RetryPolicy retry)
            implements ReservationEffect {
        @Override
        public String operationId() {
            return "ASK:" + reservationId + ":" + number;
        }

        @Override
        public String name() {
            return "ask-order";
        }
    }

    /**
     * Moves the refund's units from reserved or sold back to available, or to sold where they are not restocked.
     *
     * @param epoch as in {@link TryHold}
     * @param admitted as in {@link ConfirmHold}
     */
    record RefundHold(
            String reservationId,
            PoolId pool,
            Refund refund,
            long generation,
            long epoch,
            boolean admitted,
            RetryPolicy retry)
            implements GivesBack {
        /** Of a hold that did not come in by the gate. */
        public RefundHold(
                String reservationId, PoolId pool, Refund refund, long generation, long epoch, RetryPolicy retry) {
            this(reservationId, pool, refund, generation, epoch, false, retry);
        }

        @Override
        public String operationId() {
            return "REFUND:" + reservationId + ":" + refund.id();
        }

        @Override
        public String name() {
            return "refund";
        }
    }
}
