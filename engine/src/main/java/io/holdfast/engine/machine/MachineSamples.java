package io.holdfast.engine.machine;

import io.holdfast.engine.effect.Effect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Examples of everything a machine can be in and can be given. They belong to the domain, beside the machine; the matrix, the diagram and
 * the machine pages of a running node are derived from them, never written by hand.
 *
 * <p>All examples are about one entity and fit together: the same ids, quantities within the hold, and so on.
 */
public interface MachineSamples<S, C, E, X extends Effect> {

    /** The machine they are examples of. */
    Machine<S, C, E, X> machine();

    /** One example or more of every kind of state, in the order a reader meets them. */
    List<Sample<S>> states();

    /** One example or more of every kind of command. */
    List<Sample<C>> commands();

    /** The moment at which every command is decided. Variants of a state that depend on time lie before and after it. */
    Instant now();

    /** The sealed type whose permitted records are the kinds of state. */
    Class<?> stateType();

    /** The sealed type whose permitted records are the kinds of command. */
    Class<?> commandType();

    /** The part of a state whose class names its kind: the state itself, unless a machine wraps it with what it keeps beside it. */
    default Object kindOf(S state) {
        return state;
    }

    /** Kinds of state and command that have no example; empty when the samples are complete. */
    default Set<String> unsampled() {
        Set<String> missing = new LinkedHashSet<>();
        for (Class<?> kind : kinds(stateType())) {
            if (states().stream().noneMatch(s -> kind.isInstance(kindOf(s.value())))) {
                missing.add("state " + kind.getSimpleName());
            }
        }
        for (Class<?> kind : kinds(commandType())) {
            if (commands().stream().noneMatch(c -> kind.isInstance(c.value()))) {
                missing.add("command " + kind.getSimpleName());
            }
        }
        return missing;
    }

    /** The concrete classes below a sealed type, in the order they are permitted. */
    static List<Class<?>> kinds(Class<?> type) {
        if (!type.isSealed()) {
            return List.of(type);
        }
        List<Class<?>> concrete = new ArrayList<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            concrete.addAll(kinds(permitted));
        }
        return concrete;
    }
}
