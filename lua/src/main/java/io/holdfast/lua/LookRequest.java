package io.holdfast.lua;

/** Read a pool's numbers and one fence. Changes nothing, and works on a pool that is not trusted. */
public record LookRequest(String pool, String reservation) {}
