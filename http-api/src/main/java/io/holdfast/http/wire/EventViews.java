package io.holdfast.http.wire;

import io.holdfast.messaging.in.ParkedEvent;
import io.holdfast.messaging.kafka.DeadLetter;
import io.holdfast.messaging.kafka.EventReplay;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Events of other systems, as operators see them. */
public final class EventViews {

    private EventViews() {}

    /**
     * Dead letters of one topic.
     *
     * @param waiting how many there are, not only in this list
     */
    public record DeadLetterList(String topic, long waiting, List<DeadLetter> deadLetters) {}

    /** What a replay of dead letters did. */
    public record Replayed(String topic, int sent, int gone) {}

    /** The same, of all topics asked for. */
    public record ReplayedList(List<Replayed> replayed) {}

    /**
     * An event that waits.
     *
     * @param data as it came, if that is text
     */
    public record Parked(
            long id,
            String topic,
            int partition,
            long offset,
            String eventId,
            String type,
            String key,
            String reason,
            int attempts,
            Instant parkedAt,
            Instant retryAt,
            String data) {

        static Parked of(ParkedEvent event) {
            return new Parked(
                    event.id(),
                    event.event().topic(),
                    event.event().partition(),
                    event.event().offset(),
                    event.causeId(),
                    event.type(),
                    event.key(),
                    event.reason(),
                    event.attempts(),
                    event.parkedAt(),
                    event.retryAt(),
                    new String(event.event().data(), StandardCharsets.UTF_8));
        }
    }

    /** A page of them, longest parked first. */
    public record ParkedList(List<Parked> parkedEvents, Optional<Long> next) {

        /** The page. */
        public static ParkedList of(List<ParkedEvent> events, int limit) {
            Optional<Long> next = events.size() < limit
                    ? Optional.empty()
                    : Optional.of(events.getLast().id());
            return new ParkedList(events.stream().map(Parked::of).toList(), next);
        }
    }

    /** How many wait and are tried again now. */
    public record Retried(int waiting) {}

    /** A parked event that waits no longer. */
    public record Discarded(long id, String outcome) {}

    /** A reading of a topic from an earlier position. */
    public record Replay(
            String id,
            String topic,
            Optional<Instant> fromTime,
            Optional<Long> fromOffset,
            Optional<Integer> partition,
            EventReplay.State state,
            long read,
            long total,
            long delivered,
            long parked,
            long passedOver,
            Instant startedAt,
            Optional<String> trouble) {

        /** The wire form. */
        public static Replay of(EventReplay run) {
            Optional<Instant> time = Optional.empty();
            Optional<Long> offset = Optional.empty();
            Optional<Integer> partition = Optional.empty();
            switch (run.from()) {
                case EventReplay.From.Time(Instant at) -> time = Optional.of(at);
                case EventReplay.From.Offset(Optional<Integer> only, long first) -> {
                    offset = Optional.of(first);
                    partition = only;
                }
            }
            return new Replay(
                    run.id(),
                    run.topic(),
                    time,
                    offset,
                    partition,
                    run.state(),
                    run.read(),
                    run.total(),
                    run.delivered(),
                    run.parked(),
                    run.passedOver(),
                    run.startedAt(),
                    run.trouble());
        }
    }
}
