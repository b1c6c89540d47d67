package io.holdfast.lua;

import java.time.Instant;

/**
 * Hold stock for a reservation.
 *
 * @param epoch of the pool, as the caller knows it
 * @param quantity units, at least 1
 * @param now recorded as the time of the operation, to the millisecond
 */
public record TryRequest(String pool, long epoch, String reservation, long quantity, Instant now) {}
