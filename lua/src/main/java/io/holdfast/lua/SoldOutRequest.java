package io.holdfast.lua;

/**
 * Ask whether a hold would be turned away for want of units now, without trying it.
 *
 * @param quantity units, 1 to 2^53-1
 */
public record SoldOutRequest(String pool, String reservation, long quantity) {}
