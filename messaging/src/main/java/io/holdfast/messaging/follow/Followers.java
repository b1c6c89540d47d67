package io.holdfast.messaging.follow;

import java.util.Optional;

/** Where the journal can be followed. */
@FunctionalInterface
public interface Followers {

    /**
     * One more follower; empty when there are as many as may be. It begins at the first entry of its entity, or else at the end of the
     * journal when it first asks, unless it says from where.
     */
    Optional<Following> follow(Interest interest, Optional<Place> from);
}
