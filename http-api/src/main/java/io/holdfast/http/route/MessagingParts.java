package io.holdfast.http.route;

import io.holdfast.messaging.in.ParkedEvents;
import io.holdfast.messaging.kafka.DeadLetters;
import io.holdfast.messaging.kafka.EventReplays;
import java.util.List;

/**
 * What routes ask of a node that speaks with Kafka.
 *
 * @param topics where events are read
 * @param deadLetters what could not be understood
 * @param parked what could not be delivered
 * @param replays readings of a topic from an earlier position
 */
public record MessagingParts(List<String> topics, DeadLetters deadLetters, ParkedEvents parked, EventReplays replays) {
    public MessagingParts {
        topics = List.copyOf(topics);
    }
}
