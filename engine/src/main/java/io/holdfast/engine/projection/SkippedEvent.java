package io.holdfast.engine.projection;

import java.time.Instant;
import java.util.Optional;

/**
 * A person's permission that a projection goes on without an event, should it still not be able to handle it.
 *
 * @param projection which projection
 * @param persistenceId which entity
 * @param sequenceNumber which of its events
 * @param by who gave it, and why
 * @param at when it was given
 * @param leftOutAt when it was used; empty while it was not, and again after a rebuild
 */
public record SkippedEvent(
        String projection,
        String persistenceId,
        long sequenceNumber,
        OrderedBy by,
        Instant at,
        Optional<Instant> leftOutAt) {}
