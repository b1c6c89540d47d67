package io.holdfast.messaging.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What the broker says about us.
 *
 * @param at since when it may have changed: when the broker was begun to be asked
 * @param lag how far the group is behind, by topic
 * @param deadLetters how many wait, by the topic they were read from
 * @param missing topics of ours that do not exist, for one line; empty when all do
 */
public record BrokerReading(Instant at, Map<String, Lag> lag, Map<String, Long> deadLetters, String missing) {

    public BrokerReading {
        lag = Map.copyOf(lag);
        deadLetters = Map.copyOf(deadLetters);
    }

    /**
     * How far a group is behind on a topic.
     *
     * @param events not done with
     * @param oldest age of the oldest of them by its record's time; zero when there is none
     */
    public record Lag(long events, Duration oldest) {}
}
