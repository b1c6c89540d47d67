package io.holdfast.lua;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Let keys of an archived pool go after a while.
 *
 * @param operationId the operation that archived the pool
 * @param reservation whose fence goes; empty for the keys of the pool itself
 * @param keep how long they stay, at least a millisecond
 */
public record PoolExpireRequest(
        String pool, long epoch, String operationId, Optional<String> reservation, Duration keep, Instant now) {}
