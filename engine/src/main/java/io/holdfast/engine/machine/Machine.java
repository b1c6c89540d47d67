package io.holdfast.engine.machine;

import io.holdfast.engine.effect.Effect;
import java.time.Instant;

/**
 * A state machine as a value: what is allowed, what the past adds up to, and what a state still owes the outside world.
 *
 * <p>Every function is pure and total. Time comes in as an argument, ids and randomness come in on the command. The runtime journals
 * the events of a decision before anything else happens; what a state owes is derived again whenever the entity is started, so a crash
 * leaves nothing to restore.
 *
 * @param <S> state: a sealed interface with one record per state
 * @param <C> command: a sealed interface; requests and facts from outside, outcomes of effects, and the wake-up
 * @param <E> event: a sealed interface, past tense
 * @param <X> effect this machine may owe
 */
public interface Machine<S, C, E, X extends Effect> {

    /** Stable name: part of persistence ids, metrics, and the journal. Lower case, never changed once released. */
    String name();

    /** The state of an entity that has no past. */
    S initial(String entityId);

    /**
     * What this command does in this state. An expected "no" is a {@link Decision.Refuse}; an exception means a broken invariant and
     * stops the entity.
     *
     * @param now the moment of the decision; the only clock the machine sees
     */
    Decision<E> decide(S state, C command, Instant now);

    /** The state after an event. Never refuses: what is journaled has happened. */
    S evolve(S state, E event);

    /** What this state still owes: effects to perform now, and when to look again. */
    Owed<X> owe(S state);

    /**
     * What someone who gave this command earlier is to be told in this state: not settled yet, done, or refused. Also answers repeats,
     * so it must say what happened to the command the first time, whatever happened to the entity since.
     */
    Verdict verdict(S state, C command);

    /** The command the runtime gives when {@link Owed#wakeAt()} has come. Must be harmless when given early or twice. */
    C wakeUp();

    /**
     * The command the runtime gives when an event from outside (not a request) comes under a known cause id with other content: the
     * machine marks itself for review and moves nothing (design: "a request is refused, an event sets the mark").
     *
     * @param causeId the id that was used twice
     */
    C contradicted(String causeId);
}
