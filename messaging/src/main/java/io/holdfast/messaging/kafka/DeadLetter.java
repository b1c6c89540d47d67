package io.holdfast.messaging.kafka;

import java.util.Optional;

/**
 * An event that could not be understood.
 *
 * @param topic dead-letter topic
 * @param partition of that topic
 * @param offset in that partition
 * @param sourceTopic where it was read, and where a replay sends it
 * @param sourcePartition the partition of that topic
 * @param sourceOffset in that partition
 * @param reason a {@link io.holdfast.messaging.event.PoisonReason}
 * @param detail for people
 * @param at when it was given up, RFC 3339
 * @param eventId attributes source and id, where they could be read
 * @param type attribute type, where it could be read
 * @param key the record's key as text
 */
public record DeadLetter(
        String topic,
        int partition,
        long offset,
        String sourceTopic,
        Optional<Integer> sourcePartition,
        Optional<Long> sourceOffset,
        String reason,
        String detail,
        String at,
        Optional<String> eventId,
        Optional<String> type,
        Optional<String> key) {}
