package io.holdfast.lua;

import java.time.Instant;

/**
 * What is kept of a hold that was let in by the gate, until its actor has it.
 *
 * @param quantity units
 * @param user whose they are
 * @param request the user's own id of the request
 * @param deadline when its order must be decided by
 * @param at when it was let in
 * @param books after that
 */
public record Admission(long quantity, String user, String request, Instant deadline, Instant at, Books books) {}
