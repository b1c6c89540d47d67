package io.holdfast.compensation.port;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * Whether the reservation still owes what it asked for. Asked before every call of the script: a reservation that a person has stopped stops
 * its compensation with it. Stages never complete exceptionally.
 */
@FunctionalInterface
public interface Owing {

    /** How the reservation stands to this. */
    CompletionStage<Outcome<Standing>> standing(Content content, Asked asked);

    /** How a reservation stands to a compensation. */
    sealed interface Standing {
        /** It owes it, and asked from where it stands. */
        record Owed() implements Standing {}

        /** Not now: a person has stopped it, or it will ask again from further on. */
        record Waits(String why) implements Standing {}

        /** Not any more. */
        record NotOwed(String how) implements Standing {}
    }
}
