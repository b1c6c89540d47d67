package io.holdfast.engine.entity;

import io.holdfast.engine.machine.GrowingMap;
import io.holdfast.engine.machine.Machine;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One entity as its journal adds up: the machine's state, and what the engine remembers beside it.
 *
 * @param id entity id
 * @param sequenceNumber of the last entry, 0 when there is none
 * @param state the machine's state
 * @param causes content hash by id of every remembered cause that moved something; kept as long as the journal is
 * @param contradictions those of them that came again with other content, with the hash of that; each is journaled once
 * @param stalled operation ids recorded as stalled and not settled since
 * @param traceId of the last entry that had one: what the entity does next by itself is done under it
 */
public record Entity<S>(
        String id,
        long sequenceNumber,
        S state,
        GrowingMap<String> causes,
        GrowingMap<String> contradictions,
        Set<String> stalled,
        Optional<String> traceId) {

    public Entity {
        stalled = Collections.unmodifiableSet(stalled);
    }

    /** The entity before its first entry. */
    public static <S> Entity<S> fresh(Machine<S, ?, ?, ?> machine, String id) {
        return new Entity<>(
                id, 0, machine.initial(id), GrowingMap.empty(), GrowingMap.empty(), Set.of(), Optional.empty());
    }

    /** The entity after one more entry. Both the running entity and the auditor come this way. */
    public <E> Entity<S> after(Machine<S, ?, E, ?> machine, Entry<E> entry) {
        GrowingMap<String> seen = causes;
        GrowingMap<String> reused = contradictions;
        var cause = entry.meta().cause();
        if (cause.remembered()) {
            seen = causes.with(cause.id(), cause.hash());
            if (!cause.hash().equals(seen.get(cause.id()))) {
                reused = contradictions.with(cause.id(), cause.hash());
            }
        }
        Optional<String> trace = cause.traceId().or(() -> traceId);
        return switch (entry) {
            case Entry.Happened<E> happened -> {
                S next = machine.evolve(state, happened.event());
                yield new Entity<>(id, sequenceNumber + 1, next, seen, reused, stillOwed(machine, next), trace);
            }
            case Entry.EffectStalled<E> stall -> {
                Set<String> more = new LinkedHashSet<>(stalled);
                more.add(stall.operationId());
                yield new Entity<>(id, sequenceNumber + 1, state, seen, reused, more, trace);
            }
        };
    }

    private Set<String> stillOwed(Machine<S, ?, ?, ?> machine, S next) {
        if (stalled.isEmpty()) {
            return stalled;
        }
        Set<String> kept = new LinkedHashSet<>();
        for (var effect : machine.owe(next).effects()) {
            if (stalled.contains(effect.operationId())) {
                kept.add(effect.operationId());
            }
        }
        return kept;
    }
}
