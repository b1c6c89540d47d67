package io.holdfast.node;

import io.holdfast.messaging.webhook.WebhookDeliveries;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deliveries to webhooks that wait, read now and then as {@link ReadSideGauges} reads. */
final class WebhookGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final String WAITING = "holdfast.webhook.waiting";
    private static final String OLDEST = "holdfast.webhook.oldest.age.seconds";
    private static final String OFF = "holdfast.webhook.off";

    private final MeterRegistry registry;
    private final WebhookDeliveries deliveries;
    private final Map<String, Double> readings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast webhook gauges").factory());

    WebhookGauges(MeterRegistry registry, WebhookDeliveries deliveries) {
        this.registry = registry;
        this.deliveries = deliveries;
    }

    /** Begins to read. Once. */
    void start() {
        gauge(WAITING, "deliveries to enabled webhooks that were not taken yet");
        gauge(OLDEST, "age of the oldest of them");
        gauge(OFF, "webhooks that are disabled");
        thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void gauge(String name, String meaning) {
        Gauge.builder(name, readings, all -> all.getOrDefault(name, 0.0))
                .description(meaning)
                .register(registry);
    }

    private void read() {
        try {
            WebhookDeliveries.Waiting waiting = deliveries.waiting();
            readings.put(WAITING, (double) waiting.deliveries());
            readings.put(OLDEST, waiting.oldestSeconds());
            readings.put(OFF, (double) waiting.disabled());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("deliveries to webhooks could not be counted", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
