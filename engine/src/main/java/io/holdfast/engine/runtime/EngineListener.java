package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.Observation;
import io.holdfast.engine.machine.Cause;
import java.time.Duration;

/**
 * Told what entities live through: for metrics, logs, and tests that wait for facts. Called on the entity's own thread, so it must
 * neither block nor throw. Ids are for logs and tests; they are no metric labels.
 */
public interface EngineListener {

    /** How an ask ended for the asker. */
    enum Asked {
        KNOWN,
        UNKNOWN,
        UNAVAILABLE
    }

    /** An ask on this node ended. */
    default void asked(String machine, Asked outcome, Duration took) {}

    /** An entity is in memory, its journal replayed up to this entry. {@link #stopped} follows, once. */
    default void recovered(String machine, String entityId, long sequenceNumber) {}

    /** Entries are durable; the last has this number. */
    default void persisted(String machine, String entityId, long sequenceNumber, int entries, Cause cause) {}

    /** Something the journal does not say. */
    default void observed(String machine, String entityId, Observation observation) {}

    /** An attempt of an effect begins. */
    default void attemptStarted(String machine, String entityId, String effect, String operationId, int attempt) {}

    /** The journal failed; the entity starts again after a back-off. */
    default void journalFailed(String machine, String entityId, Throwable cause) {}

    /** The entity's journal can't be read by this version; it does not serve. */
    default void unreadable(String machine, String entityId, String why) {}

    /** A message was refused, for too many wait already while the entity replays or writes. */
    default void crowded(String machine, String entityId) {}

    /** The machine threw: a broken invariant. The entity pauses and begins again from its journal, with a pause that grows. */
    default void broken(String machine, String entityId, Throwable cause) {}

    /** An entity that was {@link #recovered} has left memory: at rest, or {@code owing} something, which its next life takes up. */
    default void stopped(String machine, String entityId, boolean owing) {}

    /** Hears nothing. */
    static EngineListener none() {
        return new EngineListener() {};
    }
}
