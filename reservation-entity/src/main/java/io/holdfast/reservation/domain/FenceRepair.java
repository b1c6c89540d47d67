package io.holdfast.reservation.domain;

import java.util.List;
import java.util.Optional;

/**
 * One fence in Redis, put right together with the pool's numbers.
 *
 * @param reservationId whose
 * @param seen the fence as it was looked at; another one is left alone. Empty: there was none
 * @param target the fence from now on; empty: there must be none
 */
public record FenceRepair(String reservationId, Optional<Seen> seen, Optional<Target> target) {

    /** Where a fence stands. */
    public enum Phase {
        RESERVED,
        CONFIRMED,
        CANCELED,
        REFUNDED,
        REJECTED
    }

    /** A fence as it was looked at. */
    public record Seen(Phase phase, long quantity, long confirmed, long released, long refunded) {}

    /**
     * A fence as its reservation's journal has it: units held, or sold and still refundable.
     *
     * @param phase RESERVED or CONFIRMED
     * @param quantity units the Try asked for
     * @param confirmed units sold
     * @param released units that went back when it was confirmed
     * @param refunded sum of the refunds
     * @param hold the pool's numbers right after the hold was granted
     * @param latest the pool's numbers after the latest operation of the reservation
     * @param refunds what went back, oldest first
     * @param admitted what its order was asked for with, where it came in by the gate
     */
    public record Target(
            Phase phase,
            long quantity,
            long confirmed,
            long released,
            long refunded,
            Books hold,
            Books latest,
            List<Refund> refunds,
            Optional<OrderCreateRequested> admitted) {
        public Target {
            refunds = List.copyOf(refunds);
        }

        /** Of one that did not come in by the gate. */
        public Target(
                Phase phase,
                long quantity,
                long confirmed,
                long released,
                long refunded,
                Books hold,
                Books latest,
                List<Refund> refunds) {
            this(phase, quantity, confirmed, released, refunded, hold, latest, refunds, Optional.empty());
        }
    }
}
