package io.holdfast.lua;

import java.time.Instant;

/**
 * Take units of a hold or of a sale back, once per refund id.
 *
 * @param operationId {@code REFUND:<reservation>:<refund>}
 * @param quantity units, at least 1
 * @param restock whether they can be sold again; otherwise the goods stay counted as sold
 * @param admitted whether it was let in by the gate
 */
public record RefundRequest(
        String pool,
        long epoch,
        String reservation,
        String operationId,
        String refundId,
        long quantity,
        boolean restock,
        boolean admitted,
        Instant now) {

    /** Of one that did not come in by the gate. */
    public RefundRequest(
            String pool,
            long epoch,
            String reservation,
            String operationId,
            String refundId,
            long quantity,
            boolean restock,
            Instant now) {
        this(pool, epoch, reservation, operationId, refundId, quantity, restock, false, now);
    }
}
