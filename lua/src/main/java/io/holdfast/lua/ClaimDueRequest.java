package io.holdfast.lua;

import java.time.Instant;

/**
 * Claim admitted holds that nobody has handed over yet.
 *
 * @param dueBy those that are due then or before
 * @param leaseUntil when they are due again, unless they are handed over by then
 * @param most claimed at once, at least 1
 */
public record ClaimDueRequest(String pool, Instant dueBy, Instant leaseUntil, long most, Instant now) {}
