package io.holdfast.messaging.event;

import java.util.Map;
import java.util.Objects;

/**
 * An event as it came, nothing understood yet.
 *
 * @param channel what its topic carries
 * @param topic where it was read
 * @param partition of the topic
 * @param offset within the partition
 * @param headers by name; of one given twice the last, without those that are no UTF-8
 * @param data empty where there was none
 */
public record RawEvent(
        Channel channel, String topic, int partition, long offset, Map<String, String> headers, byte[] data) {

    public RawEvent {
        Objects.requireNonNull(channel);
        Objects.requireNonNull(topic);
        Objects.requireNonNull(data);
        headers = Map.copyOf(headers);
    }

    /** Topic, partition and offset, for people. */
    public String place() {
        return topic + "/" + partition + "/" + offset;
    }

    @Override
    public String toString() {
        return "RawEvent[" + place() + ", " + data.length + " bytes]";
    }
}
