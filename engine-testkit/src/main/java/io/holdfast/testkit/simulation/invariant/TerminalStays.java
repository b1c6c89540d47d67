package io.holdfast.testkit.simulation.invariant;

import io.holdfast.testkit.simulation.SimulatedEntities;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** An entity that has ended stays ended, in the same kind of state. */
public final class TerminalStays<S> implements Invariant {

    private final SimulatedEntities<S, ?, ?, ?> entities;
    private final Predicate<S> ended;
    private final UnaryOperator<S> without;
    private final Map<String, Class<?>> ends = new HashMap<>();
    private int looked;

    /** Watches the journal. */
    public TerminalStays(SimulatedEntities<S, ?, ?, ?> entities, Predicate<S> ended) {
        this(entities, ended, UnaryOperator.identity());
    }

    /**
     * Watches the journal.
     *
     * @param without the state without what may be put beside an end, such as that a person looks at it
     */
    public TerminalStays(SimulatedEntities<S, ?, ?, ?> entities, Predicate<S> ended, UnaryOperator<S> without) {
        this.entities = entities;
        this.ended = ended;
        this.without = without;
    }

    @Override
    public void check() {
        Set<String> written = entities.journal().writtenSince(looked);
        looked = entities.journal().size();
        for (String id : written) {
            S state = without.apply(entities.journaled(id).state());
            Class<?> end = ends.get(id);
            if (end != null && (!ended.test(state) || !end.isInstance(state))) {
                throw new AssertionError(
                        "TerminalStays: " + id + " had ended as " + end.getSimpleName() + " and is now " + state);
            }
            if (ended.test(state)) {
                ends.put(id, state.getClass());
            }
        }
    }
}
