package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Effect;
import java.time.Duration;
import java.util.List;

/**
 * What {@link EntityCore} wants done, in the order given.
 *
 * @param <S> state of the machine
 * @param <E> events of the machine
 * @param <X> effects of the machine
 * @param <A> whoever waits for an answer
 */
public sealed interface Step<S, E, X extends Effect, A> {

    /**
     * Journal these entries, all or none. Always the last step of a list; the core takes no other input before
     * {@link EntityCore#persisted} says that they are durable. If that can't be known, the core must be thrown away and started again
     * from the journal.
     */
    record Persist<S, E, X extends Effect, A>(List<Entry<E>> entries) implements Step<S, E, X, A> {
        public Persist {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Start one attempt. Its end comes back as {@link Input.AttemptEnded}; the core itself watches the time-out.
     *
     * @param attempt from 1, counted since the core was started
     */
    record Perform<S, E, X extends Effect, A>(X effect, int attempt) implements Step<S, E, X, A> {}

    /** Give {@link Input.Alarm} after this delay (zero or more), in place of an alarm set before. */
    record SetAlarm<S, E, X extends Effect, A>(Duration delay) implements Step<S, E, X, A> {}

    /** Tell an asker; each asker is told exactly once unless the core is thrown away. */
    record Tell<S, E, X extends Effect, A>(A asker, Answer<S> answer) implements Step<S, E, X, A> {}

    /** For metrics and logs; changes nothing. */
    record Observe<S, E, X extends Effect, A>(Observation observation) implements Step<S, E, X, A> {}

    /** Nothing is owed and nobody came for a while: ask to be stopped. {@link Input.StopAsked} follows. */
    record Passivate<S, E, X extends Effect, A>() implements Step<S, E, X, A> {}

    /**
     * End. The last step of a core.
     *
     * @param wakeAgain something is still owed: start the entity again, wherever it lives then
     */
    record Stop<S, E, X extends Effect, A>(boolean wakeAgain) implements Step<S, E, X, A> {}
}
