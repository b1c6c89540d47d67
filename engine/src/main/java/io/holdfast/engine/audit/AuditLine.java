package io.holdfast.engine.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.engine.machine.Cause;
import java.time.Instant;
import java.util.Optional;

/** One line of an audit: an entry of the journal, or what is wrong in its place. */
public sealed interface AuditLine {

    /** Place in the entity's journal, from 1. */
    long sequenceNumber();

    /**
     * An entry that could be read.
     *
     * @param at moment of the decision
     * @param cause who asked, why, and under which trace
     * @param writer which run of the entity wrote it; changes whenever the entity is started anew
     * @param schemaVersion under which it was written
     * @param type of the event, as written
     * @param data of the event, as written
     * @param wakeAt when the entity was to be looked at next
     * @param after the state it led to; empty behind a line that is missing or broken, because nobody can know
     */
    record Step(
            long sequenceNumber,
            Instant at,
            Cause cause,
            String writer,
            int schemaVersion,
            String type,
            JsonNode data,
            Optional<Instant> wakeAt,
            Optional<StateAfter> after)
            implements AuditLine {}

    /**
     * Entries that must have been there and are not.
     *
     * @param sequenceNumber of the first
     * @param last of the last
     */
    record Missing(long sequenceNumber, long last) implements AuditLine {}

    /**
     * An entry that is there, and can't be read or does not fit what came before it. This version can't tell what it did.
     *
     * @param stored its text, as far as it is text
     */
    record Broken(long sequenceNumber, String why, String stored) implements AuditLine {}

    /**
     * A state, as shown to people.
     *
     * @param name of the state: the simple name of its record
     * @param content its components as JSON
     */
    record StateAfter(String name, JsonNode content) {}
}
