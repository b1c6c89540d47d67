package io.holdfast.testkit.simulation.invariant;

import io.holdfast.engine.entity.Entity;
import io.holdfast.testkit.simulation.SimulatedEntities;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** An entity that has ended stays ended, in the same kind of state. */
public final class TerminalStays<S> implements Invariant {

    private final SimulatedEntities<S, ?, ?, ?> entities;
    private final Predicate<S> ended;
    private final Map<String, Class<?>> ends = new HashMap<>();
    private int looked;

    /** Watches the journal. */
    public TerminalStays(SimulatedEntities<S, ?, ?, ?> entities, Predicate<S> ended) {
        this.entities = entities;
        this.ended = ended;
    }

    @Override
    public void check() {
        Set<String> written = entities.journal().writtenSince(looked);
        looked = entities.journal().size();
        for (String id : written) {
            Entity<S> entity = entities.journaled(id);
            Class<?> end = ends.get(id);
            if (end != null && (!ended.test(entity.state()) || !end.isInstance(entity.state()))) {
                throw new AssertionError("TerminalStays: " + id + " had ended as " + end.getSimpleName()
                        + " and is now " + entity.state());
            }
            if (ended.test(entity.state())) {
                ends.put(id, entity.state().getClass());
            }
        }
    }
}
