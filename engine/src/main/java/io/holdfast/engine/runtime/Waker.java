package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/** Wakes entities of one machine that may have been left behind owing something. */
@FunctionalInterface
public interface Waker {

    /**
     * Starts the entity, if it is not running, and with it whatever it owes. An entity that is working already, or waits for the next
     * attempt of an effect, is left alone: being asked is no proof that nobody works.
     *
     * @return Known with the sequence number of its last entry: it runs, and what is owed is being worked on. Otherwise it may not run;
     *     wake it again later. Never completes exceptionally.
     */
    CompletionStage<Outcome<Long>> wake(String entityId);
}
