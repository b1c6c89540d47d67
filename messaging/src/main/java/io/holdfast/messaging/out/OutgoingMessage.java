package io.holdfast.messaging.out;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One message, ready to be written.
 *
 * @param id the same however often it is sent: persistence id, sequence number, and what tells two messages of one entry apart
 * @param type of the event
 * @param key messages of one key stay in order
 * @param subject the reservation or the pool
 * @param sequence number of the journal entry within its entity
 * @param time of the journal entry
 * @param data business data, in the order in which they are written
 */
public record OutgoingMessage(
        OutTopic topic,
        String id,
        String type,
        String key,
        String subject,
        long sequence,
        Instant time,
        Optional<String> traceId,
        Map<String, Object> data) {

    /** Version of the shape of all data. */
    public static final int SCHEMA_VERSION = 1;

    public OutgoingMessage {
        Objects.requireNonNull(topic);
        Objects.requireNonNull(time);
        Objects.requireNonNull(traceId);
    }
}
