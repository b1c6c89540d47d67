package io.holdfast.messaging.out;

import io.holdfast.engine.entity.Entry;

/** An effect that keeps failing, as announced by every machine. */
final class Stalls {

    private Stalls() {}

    static Data data(Entry.EffectStalled<?> stalled) {
        return new Data()
                .with("operation_id", stalled.operationId())
                .with("effect", stalled.effect())
                .with("attempts", (long) stalled.attempts())
                .with("last_error", stalled.lastError());
    }
}
