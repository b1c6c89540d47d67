package io.holdfast.messaging.in;

import io.holdfast.messaging.event.RawEvent;
import java.time.Instant;

/**
 * An event that waits, because nobody is known whom it concerns, or who is can't be told.
 *
 * @param id of the row
 * @param event as it came
 * @param causeId source and id of the event
 * @param type of the event
 * @param key the order or the reservation it is about
 * @param reason why it waits
 * @param attempts how often it was tried again
 * @param parkedAt since when
 * @param retryAt when it is tried next
 */
public record ParkedEvent(
        long id,
        RawEvent event,
        String causeId,
        String type,
        String key,
        String reason,
        int attempts,
        Instant parkedAt,
        Instant retryAt) {}
