package io.holdfast.lua;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A reservation's fence as its journal has it, to be put in the place of whatever Redis has.
 *
 * @param reservation whose
 * @param phase RESERVED or CONFIRMED; the others hold nothing, and need no fence after a rebuild
 * @param quantity units the Try asked for, at least 1
 * @param confirmed units sold by Confirm; 0 while RESERVED
 * @param released units given back by Confirm; 0 while RESERVED
 * @param refunded sum of the refunds; less than what confirm left
 * @param hold numbers after the Try
 * @param latest numbers after the latest operation
 * @param admitted whose request let it in, where it came by the gate
 * @param refunds what went back, oldest first
 */
public record JournaledFence(
        String reservation,
        Phase phase,
        long quantity,
        long confirmed,
        long released,
        long refunded,
        Books hold,
        Books latest,
        Optional<Admitted> admitted,
        List<Refund> refunds) {

    public JournaledFence {
        refunds = List.copyOf(refunds);
    }

    /** Of one that did not come by the gate. */
    public JournaledFence(
            String reservation,
            Phase phase,
            long quantity,
            long confirmed,
            long released,
            long refunded,
            Books hold,
            Books latest,
            List<Refund> refunds) {
        this(reservation, phase, quantity, confirmed, released, refunded, hold, latest, Optional.empty(), refunds);
    }

    /** Units it holds, or has sold and can still refund. */
    public long left() {
        return quantity - released - refunded;
    }

    /**
     * How it came in by the gate.
     *
     * @param user whose it is
     * @param request the user's own id of the request
     * @param deadline when its order must be decided by
     */
    public record Admitted(String user, String request, Instant deadline) {}

    /**
     * One refund.
     *
     * @param id refund id
     * @param quantity units, at least 1
     * @param restock whether they became available again
     */
    public record Refund(String id, long quantity, boolean restock) {}
}
