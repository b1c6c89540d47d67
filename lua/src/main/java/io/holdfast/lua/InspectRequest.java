package io.holdfast.lua;

import java.util.Optional;

/** Read everything Redis has of a pool and, where named, of one reservation, as it is stored. For people. */
public record InspectRequest(String pool, Optional<String> reservation) {}
