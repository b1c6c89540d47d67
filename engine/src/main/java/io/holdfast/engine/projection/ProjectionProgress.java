package io.holdfast.engine.projection;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * How far one projection has come, asked from any node. Needed wherever a decision rests on what a projection shows: take the position
 * first, wait until it has passed, then read.
 */
public interface ProjectionProgress {

    /**
     * The position right now: everything that was acknowledged as journaled before this call lies before it. Completes exceptionally
     * when the database can't be asked.
     */
    CompletionStage<JournalPosition> position();

    /**
     * Waits until the projection has handled everything before this position; also when nothing was journaled since, and whichever
     * node runs it. Never completes exceptionally: a database that can't be asked is {@link Passage.NotYet} when patience ends.
     */
    CompletionStage<Passage> awaitPassed(JournalPosition position, Duration patience);
}
