package io.holdfast.testkit.simulation.invariant;

import io.holdfast.testkit.simulation.SimulatedEntities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Once faults have stopped, every entity comes to rest, without anybody asking again. */
public final class NothingPendingForever<S> implements Invariant {

    private final SimulatedEntities<S, ?, ?, ?> entities;
    private final Predicate<S> mayRest;

    /**
     * For one machine.
     *
     * @param mayRest states that may stay as they are for ever, though they owe something; usually none
     */
    public NothingPendingForever(SimulatedEntities<S, ?, ?, ?> entities, Predicate<S> mayRest) {
        this.entities = entities;
        this.mayRest = mayRest;
    }

    @Override
    public boolean holds() {
        return entities.entityIds().stream().allMatch(id -> {
            S state = entities.journaled(id).state();
            return mayRest.test(state) || entities.machine().owe(state).isNothing();
        });
    }

    @Override
    public void check() {
        List<String> pending = new ArrayList<>();
        for (String id : entities.entityIds()) {
            S state = entities.journaled(id).state();
            var owed = entities.machine().owe(state);
            if (!mayRest.test(state) && !owed.isNothing()) {
                pending.add(id + " in " + state + " owes "
                        + (owed.effects().isEmpty()
                                ? "a wake-up at "
                                        + owed.wakeAt().map(Instant::toString).orElse("")
                                : owed.effects()));
            }
        }
        if (!pending.isEmpty()) {
            throw new AssertionError("NothingPendingForever: " + pending.size() + " of "
                    + entities.machine().name() + ": " + String.join("; ", pending));
        }
    }
}
