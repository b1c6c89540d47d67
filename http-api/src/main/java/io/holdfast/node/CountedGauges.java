package io.holdfast.node;

import io.holdfast.compensation.view.CompensationQueries;
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

/** What waits in a table, counted now and then as {@link ReadSideGauges} reads; 0 until it was counted first. */
final class CountedGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CountedGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(15);

    /** Counts, by the names of gauges. */
    @FunctionalInterface
    private interface Counting {
        Map<String, Double> count() throws SQLException;
    }

    private final String what;
    private final Counting counting;
    private final Map<String, Double> readings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread;

    private CountedGauges(MeterRegistry registry, String what, Map<String, String> meanings, Counting counting) {
        this.what = what;
        this.counting = counting;
        this.thread = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .daemon()
                .name("holdfast " + what + " gauges")
                .factory());
        meanings.forEach((name, meaning) -> Gauge.builder(name, readings, all -> all.getOrDefault(name, 0.0))
                .description(meaning)
                .register(registry));
    }

    /** Compensations that are not over. */
    static CountedGauges ofCompensations(MeterRegistry registry, CompensationQueries queries) {
        String pending = "holdfast.compensation.pending";
        String manual = "holdfast.compensation.manual";
        String oldest = "holdfast.compensation.oldest.age.seconds";
        Map<String, String> meanings = Map.of(
                pending, "compensations with a journal of their own that are not over",
                manual, "those of them that wait for a person",
                oldest, "age of the oldest that is not over");
        return new CountedGauges(registry, "compensation", meanings, () -> {
            CompensationQueries.Waiting waiting = queries.waiting();
            return Map.of(
                    pending, (double) waiting.pending(),
                    manual, (double) waiting.manual(),
                    oldest, waiting.oldestSeconds());
        });
    }

    /** Deliveries to webhooks that wait. */
    static CountedGauges ofWebhooks(MeterRegistry registry, WebhookDeliveries deliveries) {
        String pending = "holdfast.webhook.waiting";
        String oldest = "holdfast.webhook.oldest.age.seconds";
        String off = "holdfast.webhook.off";
        Map<String, String> meanings = Map.of(
                pending, "deliveries to enabled webhooks that were not taken yet",
                oldest, "age of the oldest of them",
                off, "webhooks that are disabled");
        return new CountedGauges(registry, "webhook", meanings, () -> {
            WebhookDeliveries.Waiting waiting = deliveries.waiting();
            return Map.of(
                    pending, (double) waiting.deliveries(),
                    oldest, waiting.oldestSeconds(),
                    off, (double) waiting.disabled());
        });
    }

    /** Begins to count. Once. */
    void start() {
        thread.scheduleWithFixedDelay(this::read, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void read() {
        try {
            readings.putAll(counting.count());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("{} gauges could not be counted", what, e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
