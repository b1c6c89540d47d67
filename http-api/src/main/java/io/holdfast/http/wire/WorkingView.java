package io.holdfast.http.wire;

import io.holdfast.engine.entity.EffectProgress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something that is still being done, and how it is going.
 *
 * @param operationId identity of the operation: the same however often it is tried
 * @param effect kind of effect
 * @param attempts how often it was tried since the entity was started
 * @param lastError what the last failed attempt said
 * @param nextAttemptAt when it is tried again, if it waits
 * @param stalled whether it has failed past its limit; it is tried on
 */
public record WorkingView(
        String operationId,
        String effect,
        int attempts,
        Optional<String> lastError,
        Optional<Instant> nextAttemptAt,
        boolean stalled) {

    /** The wire form. */
    public static List<WorkingView> of(List<EffectProgress> working) {
        return working.stream()
                .map(one -> new WorkingView(
                        one.operationId(),
                        one.effect(),
                        one.attempts(),
                        one.lastError(),
                        one.nextAttemptAt(),
                        one.stalled()))
                .toList();
    }
}
