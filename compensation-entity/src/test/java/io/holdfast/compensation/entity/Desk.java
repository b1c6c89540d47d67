package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.engine.runtime.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Compensations in memory: each question has what is owed attempted for as long as that has answers, and not again before the next one. */
final class Desk implements Entities<Compensation, CompensationCommand> {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");

    private final MachineDefinition<Compensation, CompensationCommand, CompensationEvent, CompensationEffect>
            definition;
    private final Map<String, Compensation> states = new HashMap<>();
    private final Map<String, List<CompensationEvent>> journals = new HashMap<>();

    Desk(MachineDefinition<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> definition) {
        this.definition = definition;
    }

    List<CompensationEvent> journal(String key) {
        return journals.getOrDefault(key, List.of());
    }

    Compensation state(String key) {
        return states.computeIfAbsent(key, definition.machine()::initial);
    }

    @Override
    public CompletionStage<Outcome<Reply<Compensation>>> ask(
            String entityId, Cause cause, CompensationCommand command, Duration patience) {
        Decision<CompensationEvent> decision = give(entityId, command);
        Verdict verdict = decision instanceof Decision.Refuse<CompensationEvent>(var reason, var _)
                ? Verdict.refused(reason)
                : settle(entityId, command);
        return CompletableFuture.completedFuture(Outcome.known(
                new Reply<>(entityId, journal(entityId).size(), verdict, false, state(entityId), List.of())));
    }

    @Override
    public CompletionStage<Outcome<Reply<Compensation>>> look(String entityId) {
        return CompletableFuture.completedFuture(Outcome.known(
                new Reply<>(entityId, journal(entityId).size(), Verdict.done(), false, state(entityId), List.of())));
    }

    private Verdict settle(String id, CompensationCommand command) {
        boolean answered = true;
        while (answered) {
            answered = false;
            for (CompensationEffect effect : definition.machine().owe(state(id)).effects()) {
                if (definition
                                .performer()
                                .perform(id, effect)
                                .toCompletableFuture()
                                .join()
                        instanceof Outcome.Known<CompensationCommand>(CompensationCommand outcome)) {
                    answered |= !give(id, outcome).events().isEmpty();
                }
            }
        }
        return definition.machine().verdict(state(id), command);
    }

    private Decision<CompensationEvent> give(String id, CompensationCommand command) {
        Machine<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> machine =
                definition.machine();
        Decision<CompensationEvent> decision = machine.decide(state(id), command, NOW);
        for (CompensationEvent event : decision.events()) {
            states.put(id, machine.evolve(state(id), event));
            journals.computeIfAbsent(id, _ -> new ArrayList<>()).add(event);
        }
        return decision;
    }
}
