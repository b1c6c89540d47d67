package io.holdfast.engine.entity;

import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import java.time.Duration;
import java.util.Optional;

/** What an entity lived through that its journal does not say; for metrics, logs and tests. */
public sealed interface Observation {

    /** How an attempt ended. */
    enum Result {
        KNOWN,
        UNKNOWN,
        UNAVAILABLE
    }

    /**
     * An attempt of an effect ended, or its time ran out (UNKNOWN).
     *
     * @param error what was said when the outcome is not known
     */
    record AttemptEnded(
            String effect, String operationId, int attempt, Result result, Duration took, Optional<String> error)
            implements Observation {}

    /** An outcome came for an operation that is not owed any more, or an unknown one for an attempt given up before. Ignored. */
    record LateOutcome(String operationId, int attempt, Result result) implements Observation {}

    /** The outcome is known, and the operation is owed as before; it is tried again after the back-off. */
    record DebtStays(String effect, String operationId, int attempt) implements Observation {}

    /** An effect failed past its limit, and this is in the journal now. */
    record Stalled(String effect, String operationId, int attempts, String lastError) implements Observation {}

    /** A command came again under its cause, or found its effect in place. */
    record Repeated(Cause cause) implements Observation {}

    /** A command was refused. */
    record Refused(Cause cause, Refusal reason) implements Observation {}

    /** An event came under a known id with other content. */
    record Contradicted(Cause cause) implements Observation {}
}
