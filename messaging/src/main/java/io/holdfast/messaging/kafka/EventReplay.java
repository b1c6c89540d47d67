package io.holdfast.messaging.kafka;

import java.time.Instant;
import java.util.Optional;

/**
 * One reading of a topic from an earlier position.
 *
 * @param id of the run
 * @param topic what is read
 * @param from where it begins
 * @param state how it stands
 * @param read events read so far
 * @param total events there were when it began, up to which it reads
 * @param delivered events whose reservations have them now, whether they had them before or not
 * @param parked events that wait in {@code parked_event}
 * @param passedOver events that can't be understood or are meant for others
 * @param startedAt when it began
 * @param trouble why it failed
 */
public record EventReplay(
        String id,
        String topic,
        From from,
        State state,
        long read,
        long total,
        long delivered,
        long parked,
        long passedOver,
        Instant startedAt,
        Optional<String> trouble) {

    /** How a run stands. */
    public enum State {
        RUNNING,
        DONE,
        FAILED
    }

    /** Where a run begins. */
    public sealed interface From {

        /** At the first event whose record is not older. */
        record Time(Instant at) implements From {}

        /** At this offset: of one partition, or of each. */
        record Offset(Optional<Integer> partition, long offset) implements From {}
    }
}
