package io.holdfast.engine.machine;

import java.util.List;

/**
 * What a machine decided about one command.
 *
 * @param <E> the machine's events
 */
public sealed interface Decision<E> {

    /** Events to journal, in order; empty for a repeat and for most refusals. */
    List<E> events();

    /** The command takes effect through these events (at least one). Its answer is {@link Machine#verdict} once that is settled. */
    record Accept<E>(List<E> events) implements Decision<E> {
        public Accept {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("a decision that changes nothing is a Repeat or a Refuse");
            }
        }
    }

    /** The command's effect is already in the state; it is answered by {@link Machine#verdict} and changes nothing. */
    record Repeat<E>() implements Decision<E> {
        @Override
        public List<E> events() {
            return List.of();
        }
    }

    /** An expected "no". The events, if any, only record that it was said (a conflict worth publishing). */
    record Refuse<E>(Refusal reason, List<E> events) implements Decision<E> {
        public Refuse {
            events = List.copyOf(events);
        }
    }

    /** Accepts with one event or more. */
    @SafeVarargs
    @SuppressWarnings("varargs") // copied before it is kept
    static <E> Decision<E> accept(E... events) {
        return new Accept<>(List.of(events));
    }

    /** Says "already so". */
    static <E> Decision<E> repeat() {
        return new Repeat<>();
    }

    /** Refuses and leaves no trace. */
    static <E> Decision<E> refuse(Refusal reason) {
        return new Refuse<>(reason, List.of());
    }

    /** Refuses and journals that it was refused. */
    static <E> Decision<E> refuse(Refusal reason, E recorded) {
        return new Refuse<>(reason, List.of(recorded));
    }
}
