package io.holdfast.lua;

import java.time.Instant;

/**
 * Release a hold, or fence a reservation that never held.
 *
 * @param operationId {@code RELEASE:<reservation>}
 * @param quantity units the Try asked for
 * @param expectHeld whether the journal says that the hold happened
 * @param admitted whether it was let in by the gate
 */
public record CancelRequest(
        String pool,
        long epoch,
        String reservation,
        String operationId,
        long quantity,
        boolean expectHeld,
        boolean admitted,
        Instant now) {

    /** Of one that did not come in by the gate. */
    public CancelRequest(
            String pool,
            long epoch,
            String reservation,
            String operationId,
            long quantity,
            boolean expectHeld,
            Instant now) {
        this(pool, epoch, reservation, operationId, quantity, expectHeld, false, now);
    }
}
