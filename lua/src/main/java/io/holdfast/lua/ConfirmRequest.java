package io.holdfast.lua;

import java.time.Instant;

/**
 * Turn a hold into a sale. The caller always expects a hold.
 *
 * @param quantity units to sell, at least 1 and at most what the reservation still holds; the rest of the hold is released
 */
public record ConfirmRequest(String pool, long epoch, String reservation, long quantity, Instant now) {}
