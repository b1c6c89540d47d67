package io.holdfast.lua;

import java.time.Instant;

/**
 * Turn a hold into a sale. The caller always expects a hold.
 *
 * @param quantity units to sell, at least 1 and at most what the reservation still holds; the rest of the hold is released
 * @param admitted whether it was let in by the gate
 */
public record ConfirmRequest(
        String pool, long epoch, String reservation, long quantity, boolean admitted, Instant now) {

    /** Of one that did not come in by the gate. */
    public ConfirmRequest(String pool, long epoch, String reservation, long quantity, Instant now) {
        this(pool, epoch, reservation, quantity, false, now);
    }
}
