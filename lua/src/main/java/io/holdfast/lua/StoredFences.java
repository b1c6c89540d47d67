package io.holdfast.lua;

import io.holdfast.engine.effect.Outcome;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Names of the fences Redis has of a pool, whoever wrote them. For finding those that nobody knows: it goes through every key of the server,
 * a bounded number at a time, and is asked only when sums differ.
 */
@FunctionalInterface
public interface StoredFences {

    /** Where to begin. */
    String BEGIN = "0";

    /**
     * Some of the names.
     *
     * @param reservations whose fences were met; one may come twice
     * @param next where to go on; {@link #BEGIN} when all have been met
     */
    record Names(List<String> reservations, String next) {
        public Names {
            reservations = List.copyOf(reservations);
        }
    }

    /**
     * Goes on from a place. A fence that is there the whole time is met at least once.
     *
     * @param effort keys looked at, about
     * @return as every call of a script: never completes exceptionally
     */
    CompletionStage<Outcome<Names>> names(String pool, String from, int effort);
}
