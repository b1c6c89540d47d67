package io.holdfast.node;

import io.holdfast.compensation.view.CompensationQueries;
import io.holdfast.messaging.in.ParkedEvents;
import io.holdfast.messaging.webhook.WebhookDeliveries;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** What waits in tables. */
final class WaitingGauges {

    private static final Duration EVERY = Duration.ofSeconds(15);

    private WaitingGauges() {}

    /** Compensations that are not over. */
    static SampledGauges<?> ofCompensations(MeterRegistry registry, CompensationQueries queries) {
        return new SampledGauges<CompensationQueries.Waiting>(registry, "compensation", EVERY, queries::waiting)
                .gauge(
                        "holdfast.compensation.pending",
                        "compensations with a journal of their own that are not over",
                        CompensationQueries.Waiting::pending)
                .gauge(
                        "holdfast.compensation.manual",
                        "those of them that wait for a person",
                        CompensationQueries.Waiting::manual)
                .gauge(
                        "holdfast.compensation.oldest.age.seconds",
                        "age of the oldest that is not over",
                        CompensationQueries.Waiting::oldestSeconds);
    }

    /** Deliveries to webhooks that wait. */
    static SampledGauges<?> ofWebhooks(MeterRegistry registry, WebhookDeliveries deliveries) {
        return new SampledGauges<WebhookDeliveries.Waiting>(registry, "webhook", EVERY, deliveries::waiting)
                .gauge(
                        "holdfast.webhook.waiting",
                        "deliveries to enabled webhooks that were not taken yet",
                        WebhookDeliveries.Waiting::deliveries)
                .gauge(
                        "holdfast.webhook.oldest.age.seconds",
                        "age of the oldest of them",
                        WebhookDeliveries.Waiting::oldestSeconds)
                .gauge("holdfast.webhook.off", "webhooks that are disabled", WebhookDeliveries.Waiting::disabled);
    }

    /** Events that nobody is known for yet. */
    static SampledGauges<?> ofParked(MeterRegistry registry, ParkedEvents parked) {
        return new SampledGauges<ParkedEvents.Backlog>(registry, "parked", EVERY, parked::backlog)
                .gauge(
                        "holdfast.events.parked.waiting",
                        "events that wait until somebody is known whom they concern",
                        ParkedEvents.Backlog::events)
                .gauge(
                        "holdfast.events.parked.oldest.seconds",
                        "how long the longest of them waits",
                        waiting -> SampledGauges.seconds(waiting.oldest()));
    }
}
