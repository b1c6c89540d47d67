package io.holdfast.lua;

import java.time.Instant;

/** Take an admitted hold off the list: its actor has it in its journal. */
public record HandedOffRequest(String pool, long epoch, String reservation, Instant now) {}
