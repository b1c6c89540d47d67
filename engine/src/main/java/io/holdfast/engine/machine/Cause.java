package io.holdfast.engine.machine;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a command was given: remembered with what it caused, so that the same cause moves things once and an auditor can follow it.
 *
 * @param id idempotency key of a request, id of a message, operation id of an effect, or the runtime's own
 * @param hash SHA-256 (hex) of the canonical JSON (RFC 8785) of the business content; empty where the id alone fixes the content
 * @param kind where it came from
 * @param actor who asked: the authenticated caller, the topic, or the runtime
 * @param traceId W3C trace id, where known; never part of the hash
 */
public record Cause(String id, String hash, Kind kind, String actor, Optional<String> traceId) {

    /** Where a command comes from. Decides what a reuse of its id with other content means. */
    public enum Kind {
        /** Somebody waits for the answer: reuse with other content is refused. */
        REQUEST,
        /** A message of another system: reuse with other content marks the entity for review. */
        EVENT,
        /** The known outcome of an effect this entity owed. */
        OUTCOME,
        /** The runtime: a wake-up. */
        TIMER,
        /** A person with authority. Like REQUEST, and named in the journal. */
        OPERATOR
    }

    public Cause {
        Objects.requireNonNull(id);
        Objects.requireNonNull(hash);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(actor);
        Objects.requireNonNull(traceId);
    }

    /** A cause from outside is remembered by id; the others repeat by nature and are not. */
    public boolean remembered() {
        return switch (kind) {
            case REQUEST, EVENT, OPERATOR -> true;
            case OUTCOME, TIMER -> false;
        };
    }
}
