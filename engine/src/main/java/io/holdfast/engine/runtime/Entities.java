package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The entities of one machine, wherever in the cluster they live.
 *
 * @param <S> state of the machine
 * @param <C> commands of the machine
 */
public interface Entities<S, C> {

    /** Longest id of an entity, in characters. */
    int LONGEST_ID = 200;

    /**
     * Gives a command and waits until its verdict is settled, at most for {@code patience}: then the reply says
     * {@link io.holdfast.engine.machine.Verdict.Pending}.
     *
     * @return Known: the entity answered. Unknown: no answer came; the command may or may not have been journaled, ask again under the
     *     same cause. Unavailable: it was certainly not taken (the node is starting, stopping, or too busy; the entity's journal can't be read, then the reason starts with
     *     the code of {@link io.holdfast.engine.machine.EngineRefusal#JOURNAL_UNREADABLE}). Never completes exceptionally.
     */
    CompletionStage<Outcome<Reply<S>>> ask(String entityId, Cause cause, C command, Duration patience);

    /**
     * The entity as it stands. Journals nothing.
     *
     * @return as {@link #ask}; the verdict is Done, or Refused when another entity was reached
     */
    CompletionStage<Outcome<Reply<S>>> look(String entityId);

    /** Why this can't be the id of an entity, if so: the journal's key would not hold it, or not tell it from another. */
    static Optional<String> obstacleIn(String entityId) {
        boolean fits = !entityId.isEmpty() && entityId.length() <= LONGEST_ID && entityId.indexOf('|') < 0;
        return fits ? Optional.empty() : Optional.of("not the id of an entity: empty, too long, or with a |");
    }
}
