package io.holdfast.lua;

import java.time.Instant;

/**
 * Pause (PAUSED), resume (OPEN), close (CLOSED), archive (ARCHIVED) or freeze (SUSPECT) a pool. REBUILDING is no target.
 *
 * @param operationId of a freeze: what {@link PoolVerifyRequest} must name to lift it
 * @param target a pool that is not trusted accepts SUSPECT only
 */
public record PoolStatusRequest(String pool, long epoch, String operationId, PoolStatus target, Instant now) {}
