package io.holdfast.messaging.out;

import io.holdfast.engine.entity.Entry;
import java.util.Optional;

/**
 * One entry of an entity's journal, between the states it lies between.
 *
 * @param eventId persistence id and sequence number
 * @param sequence the latter
 * @param traceId under which it happened
 * @param before the state before the entry
 * @param after the state after it
 */
public record JournalStep<S, E>(
        String eventId, long sequence, Optional<String> traceId, S before, Entry<E> entry, S after) {

    /**
     * A message of this entry.
     *
     * @param suffix tells messages of one entry apart
     * @param subject the entity
     */
    OutgoingMessage message(OutTopic topic, String suffix, String type, String key, String subject, Data data) {
        return new OutgoingMessage(
                topic,
                eventId + suffix,
                type,
                key,
                subject,
                sequence,
                entry.meta().at(),
                traceId,
                data.fields());
    }
}
