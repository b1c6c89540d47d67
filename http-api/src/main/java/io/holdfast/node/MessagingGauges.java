package io.holdfast.node;

import io.holdfast.messaging.kafka.BrokerReading;
import io.holdfast.messaging.kafka.BrokerWatch;
import io.holdfast.messaging.out.EventPublisher;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How far events and messages are behind, as the watch on the broker saw it last. What it could not read is {@code NaN}, not an old number. */
final class MessagingGauges {

    private MessagingGauges() {}

    /** @param topics those events come in by */
    static void register(MeterRegistry registry, List<String> topics, BrokerWatch watch, EventPublisher publisher) {
        for (String topic : topics) {
            gauge(
                    registry,
                    watch,
                    "holdfast.events.lag.events",
                    topic,
                    "events not done with",
                    reading -> events(reading, topic));
            gauge(
                    registry,
                    watch,
                    "holdfast.events.lag.seconds",
                    topic,
                    "age of the oldest event not done with",
                    reading -> seconds(reading, topic));
            gauge(
                    registry,
                    watch,
                    "holdfast.events.dead.waiting",
                    topic,
                    "dead letters not sent again",
                    reading -> reading.deadLetters().getOrDefault(topic, 0L));
        }
        Gauge.builder("holdfast.messages.under.way", publisher, EventPublisher::underWay)
                .description("messages sent and not acknowledged")
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            BrokerWatch watch,
            String name,
            String topic,
            String meaning,
            ToDoubleFunction<BrokerReading> value) {
        Gauge.builder(name, watch, now -> now.latest().map(value::applyAsDouble).orElse(Double.NaN))
                .description(meaning)
                .tag("topic", topic)
                .register(registry);
    }

    private static double events(BrokerReading reading, String topic) {
        BrokerReading.Lag lag = reading.lag().get(topic);
        return lag == null ? Double.NaN : lag.events();
    }

    private static double seconds(BrokerReading reading, String topic) {
        BrokerReading.Lag lag = reading.lag().get(topic);
        return lag == null ? Double.NaN : lag.oldest().toMillis() / 1000.0;
    }
}
