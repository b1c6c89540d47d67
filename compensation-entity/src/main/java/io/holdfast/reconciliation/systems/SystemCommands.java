package io.holdfast.reconciliation.systems;

import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/** Gives the ordinary commands that put differences right. Stages never complete exceptionally. */
@FunctionalInterface
public interface SystemCommands {

    /**
     * Tells the reservation, under the repair's id.
     *
     * @return Known: how it answered, in a word; otherwise it is asked again by the next run
     */
    CompletionStage<Outcome<String>> tell(SystemRepair repair);
}
