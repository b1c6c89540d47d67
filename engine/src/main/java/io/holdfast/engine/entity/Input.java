package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import java.time.Duration;
import java.util.Optional;

/**
 * What can reach a running entity.
 *
 * @param <C> commands of the machine
 * @param <A> whoever waits for an answer; opaque here
 */
public sealed interface Input<C, A> {

    /**
     * A command from outside.
     *
     * @param entityId whom the sender means; checked
     * @param patience how long the asker waits for a settled verdict; zero: an answer as soon as the command is journaled
     */
    record Asked<C, A>(String entityId, Cause cause, C command, Duration patience, A asker) implements Input<C, A> {}

    /** Somebody wants to see the entity. */
    record Looked<C, A>(String entityId, A asker) implements Input<C, A> {}

    /**
     * Somebody (the sweeper) says that this entity owes something. Starts what is owed and not being worked on; what is in flight or
     * waits for its next attempt is left alone.
     */
    record Woken<C, A>(String entityId, Optional<A> asker) implements Input<C, A> {}

    /**
     * An attempt of an effect ended. May come late, twice, or never.
     *
     * @param attempt the number given by {@link Step.Perform}
     */
    record AttemptEnded<C, A>(String operationId, int attempt, Outcome<C> outcome) implements Input<C, A> {}

    /** Others need the memory: an entity that rests asks to be stopped now, one that does not stays. */
    record RoomNeeded<C, A>() implements Input<C, A> {}

    /** The delay of {@link Step.SetAlarm} is over. Harmless when early. */
    record Alarm<C, A>() implements Input<C, A> {}

    /** The entity must end here now: it was passivated, or its shard moves to another node. */
    record StopAsked<C, A>() implements Input<C, A> {}
}
