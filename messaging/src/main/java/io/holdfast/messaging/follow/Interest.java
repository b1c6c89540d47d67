package io.holdfast.messaging.follow;

import io.holdfast.messaging.out.OutgoingMessage;
import java.util.function.Predicate;

/** What a follower wants to be told. */
public sealed interface Interest {

    /**
     * What all entities announce.
     *
     * @param wanted which of it; pure and quick
     * @param faults whether to be told of entries that can't be read, of which nobody knows whom they concern
     */
    record Everybody(Predicate<OutgoingMessage> wanted, boolean faults) implements Interest {}

    /**
     * All that one entity announces, from its first entry on unless a place is given.
     *
     * @param persistenceId machine and entity id, separated by {@code |}
     */
    record Entity(String persistenceId) implements Interest {}
}
