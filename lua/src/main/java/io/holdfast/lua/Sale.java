package io.holdfast.lua;

import java.time.Instant;

/**
 * What the gate of a pool keeps to.
 *
 * @param limit units a user may hold of the pool at a time, at least 1
 * @param opensAt from when on requests are let in, to the millisecond
 * @param closesAt from when on none is, later than that
 */
public record Sale(long limit, Instant opensAt, Instant closesAt) {}
