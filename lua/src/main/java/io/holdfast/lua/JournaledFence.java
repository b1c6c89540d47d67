package io.holdfast.lua;

import java.util.List;

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
        List<Refund> refunds) {

    public JournaledFence {
        refunds = List.copyOf(refunds);
    }

    /** Units it holds, or has sold and can still refund. */
    public long left() {
        return quantity - released - refunded;
    }

    /**
     * One refund.
     *
     * @param id refund id
     * @param quantity units, at least 1
     * @param restock whether they became available again
     */
    public record Refund(String id, long quantity, boolean restock) {}
}
