package io.holdfast.messaging.follow;

import io.holdfast.messaging.out.OutgoingMessage;

/** One thing a follower is told. */
public sealed interface Told {

    /** Where it has come to once it has taken this. */
    Place place();

    /** An announcement. */
    record Announcement(Place place, OutgoingMessage message) implements Told {}

    /**
     * An entry that this version can't read or that does not fit what came before it: what it announces is not known.
     *
     * @param persistenceId of the entity
     * @param sequenceNumber of the entry
     */
    record Unreadable(Place place, String persistenceId, long sequenceNumber) implements Told {}
}
