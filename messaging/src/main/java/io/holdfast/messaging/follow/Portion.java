package io.holdfast.messaging.follow;

import java.util.List;

/**
 * What came next.
 *
 * @param told in order; empty when there was nothing for as long as was to be waited
 * @param reached how far the follower has come: to go on from here leaves nothing out
 * @param atRest true when the one entity that is followed has come to an end, owes nothing, and there is nothing more to tell
 */
public record Portion(List<Told> told, Place reached, boolean atRest) {
    public Portion {
        told = List.copyOf(told);
    }
}
