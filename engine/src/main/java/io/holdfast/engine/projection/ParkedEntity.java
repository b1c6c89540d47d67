package io.holdfast.engine.projection;

import java.time.Instant;

/**
 * An entity a projection has set aside because one of its events can't be handled. The entity itself is untouched and goes on; only
 * this projection shows it as it was before that event. Others are not held up. It is tried again by itself, ever less often, and at
 * once when somebody asks ({@link ProjectionOrders#retry}) or a new version starts.
 *
 * @param projection which projection
 * @param persistenceId which entity
 * @param sequenceNumber first event of it that was not handled
 * @param reason what the handler said last
 * @param attempts how often the event was tried since it was parked
 * @param parkedAt when it was set aside
 * @param retryAt when it is tried again
 */
public record ParkedEntity(
        String projection,
        String persistenceId,
        long sequenceNumber,
        String reason,
        int attempts,
        Instant parkedAt,
        Instant retryAt) {}
