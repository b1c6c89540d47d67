package io.holdfast.engine.entity;

import java.time.Instant;
import java.util.Optional;

/**
 * How an owed effect is going, as seen by whoever asks.
 *
 * @param operationId identity of the operation
 * @param effect kind of effect
 * @param attempts how often it was tried since the entity was started
 * @param lastError what the last failed attempt said
 * @param nextAttemptAt when it is tried again, if it waits
 * @param stalled whether it has failed past its limit
 */
public record EffectProgress(
        String operationId,
        String effect,
        int attempts,
        Optional<String> lastError,
        Optional<Instant> nextAttemptAt,
        boolean stalled) {}
