package io.holdfast.engine.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.machine.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fold of an audit, row by row. Goes on behind a fault to show what is there, but claims no state from there on. */
final class Replay<S, E> {

    private static final ObjectMapper PLAIN = new ObjectMapper();

    private final Machine<S, ?, E, ?> machine;
    private final JournalCodec<E> events;
    private final JsonCodec<S> states;
    private final AuditScope scope;
    private final List<AuditLine> lines = new ArrayList<>();

    private Optional<Entity<S>> entity;
    private long expected = 1;
    private boolean more;

    Replay(
            Machine<S, ?, E, ?> machine,
            JournalCodec<E> events,
            JsonCodec<S> states,
            String entityId,
            AuditScope scope) {
        this.machine = machine;
        this.events = events;
        this.states = states;
        this.scope = scope;
        this.entity = Optional.of(Entity.fresh(machine, entityId));
    }

    /** Takes the next row. False when the scope ends before it. */
    boolean next(long sequenceNumber, String writer, boolean deleted, byte[] payload) {
        if (lines.size() >= scope.limit()) {
            more = true;
            return false;
        }
        Entry<E> entry;
        try {
            entry = events.decode(payload);
        } catch (RuntimeException e) {
            continuity(sequenceNumber);
            broken(sequenceNumber, String.valueOf(e.getMessage()), payload);
            return true;
        }
        if (scope.until().isPresent() && entry.meta().at().isAfter(scope.until().get())) {
            return false;
        }
        continuity(sequenceNumber);
        if (deleted) {
            broken(sequenceNumber, "marked as deleted: the running entity does not see it", payload);
            return true;
        }
        try {
            entity = entity.map(before -> before.after(machine, entry));
            add(step(sequenceNumber, writer, entry, payload));
        } catch (RuntimeException | AssertionError e) {
            broken(sequenceNumber, "does not fit the state before it: " + e, payload);
        }
        return true;
    }

    AuditTrail<S> trail(String persistenceId) {
        return new AuditTrail<>(persistenceId, lines, more, entity.isPresent(), entity);
    }

    private void continuity(long sequenceNumber) {
        if (sequenceNumber != expected) {
            entity = Optional.empty();
            add(new AuditLine.Missing(expected, sequenceNumber - 1));
        }
        expected = sequenceNumber + 1;
    }

    private void broken(long sequenceNumber, String why, byte[] payload) {
        entity = Optional.empty();
        add(new AuditLine.Broken(sequenceNumber, why, new String(payload, StandardCharsets.UTF_8)));
    }

    private AuditLine step(long sequenceNumber, String writer, Entry<E> entry, byte[] payload) {
        JsonNode stored;
        try {
            stored = PLAIN.readTree(payload);
        } catch (IOException e) {
            throw new IllegalStateException("the codec read what is no JSON", e);
        }
        return new AuditLine.Step(
                sequenceNumber,
                entry.meta().at(),
                entry.meta().cause(),
                writer,
                stored.path("v").asInt(),
                stored.path("type").asText(),
                stored.path("data"),
                entry.meta().wakeAt(),
                entity.map(after -> new AuditLine.StateAfter(
                        after.state().getClass().getSimpleName(), states.toTree(after.state()))));
    }

    private void add(AuditLine line) {
        if (line.sequenceNumber() > scope.after()) {
            lines.add(line);
        }
    }
}
