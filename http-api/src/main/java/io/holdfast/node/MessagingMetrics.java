package io.holdfast.node;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.messaging.event.PoisonReason;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.in.MessagingListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what becomes of events, and writes down what somebody should look at. */
final class MessagingMetrics implements MessagingListener {

    private static final Logger LOG = LoggerFactory.getLogger(MessagingMetrics.class);
    /** Of an outage not every attempt is a line. */
    private static final int SAID_EVERY = 20;

    private final MeterRegistry registry;

    MessagingMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void told(String type, Verdict verdict, boolean repeated) {
        String result = switch (verdict) {
            case Verdict.Pending _, Verdict.Done _ -> repeated ? "repeat" : "taken";
            case Verdict.Refused _ -> "refused";
        };
        registry.counter("holdfast.events.told", "type", type, "result", result).increment();
    }

    @Override
    public void ignored(String type) {
        registry.counter("holdfast.events.ignored").increment();
    }

    @Override
    public void handled(String topic) {
        registry.counter("holdfast.events.handled", "topic", topic).increment();
    }

    @Override
    public void parked(RawEvent event, String reason) {
        registry.counter("holdfast.events.parked", "topic", event.topic()).increment();
        LOG.warn("event {} waits in parked_event: {}", event.place(), reason);
    }

    @Override
    public void unparked(String type) {
        registry.counter("holdfast.events.unparked", "type", type).increment();
    }

    @Override
    public void buried(RawEvent event, PoisonReason reason, String detail) {
        registry.counter("holdfast.events.dead", "topic", event.topic(), "reason", reason.name())
                .increment();
        LOG.warn("event {} is a dead letter: {}, {}", event.place(), reason, detail);
    }

    @Override
    public void retried(String whom, int attempt, String why) {
        registry.counter("holdfast.events.retries", "whom", whom).increment();
        if (attempt % SAID_EVERY == 0) {
            LOG.warn("{} was asked {} times in vain because of an event: {}", whom, attempt, why);
        }
    }

    @Override
    public void broke(String what, Throwable failure) {
        registry.counter("holdfast.events.broke").increment();
        LOG.warn("{} broke and begins again", what, failure);
    }
}
