package io.holdfast.node;

import io.holdfast.messaging.in.ParkedEvents;
import io.holdfast.messaging.kafka.BrokerReading;
import io.holdfast.messaging.kafka.BrokerWatch;
import io.holdfast.messaging.kafka.KafkaSettings;
import io.holdfast.messaging.out.EventPublisher;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far events and messages are behind. What can't be read is {@code NaN}, not an old number. */
final class MessagingGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MessagingGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final ParkedEvents parked;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast parked gauges").factory());
    private volatile Optional<ParkedEvents.Backlog> backlog = Optional.empty();

    MessagingGauges(
            MeterRegistry registry,
            KafkaSettings settings,
            BrokerWatch watch,
            EventPublisher publisher,
            ParkedEvents parked) {
        this.parked = parked;
        for (String topic : settings.topics().in()) {
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
        Gauge.builder(
                        "holdfast.events.parked.waiting",
                        this,
                        gauges -> gauges.backlog
                                .map(found -> (double) found.events())
                                .orElse(Double.NaN))
                .description("events that wait until somebody is known whom they concern")
                .register(registry);
        Gauge.builder(
                        "holdfast.events.parked.oldest.seconds",
                        this,
                        gauges -> gauges.backlog
                                .map(found ->
                                        found.oldest().orElse(Duration.ZERO).toMillis() / 1000.0)
                                .orElse(Double.NaN))
                .description("how long the longest of them waits")
                .register(registry);
    }

    void start() {
        thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void read() {
        try {
            backlog = Optional.of(parked.backlog());
        } catch (SQLException | RuntimeException e) {
            backlog = Optional.empty();
            LOG.debug("parked events could not be counted", e);
        }
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

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
