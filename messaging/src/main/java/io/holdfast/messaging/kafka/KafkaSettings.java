package io.holdfast.messaging.kafka;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How this node speaks with Kafka.
 *
 * @param connection bootstrap servers, and whatever secures the connection, as Kafka's clients call it: not for logs
 * @param group consumer group of the fleet
 * @param sessionTimeout after this long a node of the group that died is missed
 * @param source attribute {@code source} of what is announced
 * @param concurrency reservations asked at a time
 * @param buffer events of one partition taken up while an older one is not done with
 * @param largestEvent bytes of data that are still read
 * @param ignoredTypes types on the topics read that are meant for others
 * @param backoff between two attempts to deliver an event
 */
public record KafkaSettings(
        Map<String, String> connection,
        String group,
        Duration sessionTimeout,
        String source,
        TopicNames topics,
        int concurrency,
        int buffer,
        int largestEvent,
        Set<String> ignoredTypes,
        Backoff backoff) {

    public KafkaSettings {
        connection = Map.copyOf(connection);
        ignoredTypes = Set.copyOf(ignoredTypes);
    }

    /** Settings that suit a server, for a broker that is not secured. */
    public static KafkaSettings plain(String bootstrapServers, String name) {
        return new KafkaSettings(
                Map.of("bootstrap.servers", bootstrapServers),
                "holdfast-" + name,
                Duration.ofSeconds(15),
                "/holdfast/" + name,
                TopicNames.standard(),
                64,
                500,
                64 * 1024,
                Set.of(),
                new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), 2, 0.2));
    }

    /** The same with other topics. */
    public KafkaSettings withTopics(TopicNames other) {
        return new KafkaSettings(
                connection,
                group,
                sessionTimeout,
                source,
                other,
                concurrency,
                buffer,
                largestEvent,
                ignoredTypes,
                backoff);
    }

    /** The same with another way to the brokers. */
    public KafkaSettings withConnection(Map<String, String> other) {
        return new KafkaSettings(
                other, group, sessionTimeout, source, topics, concurrency, buffer, largestEvent, ignoredTypes, backoff);
    }

    /** The same with another back-off. */
    public KafkaSettings withBackoff(Backoff other) {
        return new KafkaSettings(
                connection,
                group,
                sessionTimeout,
                source,
                topics,
                concurrency,
                buffer,
                largestEvent,
                ignoredTypes,
                other);
    }

    /** The same with another buffer. */
    public KafkaSettings withBuffer(int other) {
        return new KafkaSettings(
                connection,
                group,
                sessionTimeout,
                source,
                topics,
                concurrency,
                other,
                largestEvent,
                ignoredTypes,
                backoff);
    }

    /** Where the brokers are, for people. */
    public String shownServers() {
        return connection.getOrDefault("bootstrap.servers", "?");
    }

    /** Kept out of logs: it may hold passwords. */
    @Override
    public String toString() {
        return "KafkaSettings[" + shownServers() + ", group " + group + "]";
    }
}
