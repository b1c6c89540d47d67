package io.holdfast.node;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.PoisonReason;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.in.MessagingListener;
import io.holdfast.messaging.in.Whom;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what becomes of events, all of it from the start, as 0; writes down what somebody should look at. */
final class MessagingMetrics implements MessagingListener {

    private static final Logger LOG = LoggerFactory.getLogger(MessagingMetrics.class);
    /** Of an outage not every attempt is a line. */
    private static final int SAID_EVERY = 20;

    private final MeterRegistry registry;

    /** @param topics those that are read */
    MessagingMetrics(MeterRegistry registry, List<String> topics) {
        this.registry = registry;
        for (String type : EventReader.types()) {
            for (Result result : Result.values()) {
                told(type, result);
            }
            registry.counter("holdfast.events.unparked", "type", type);
        }
        for (String topic : topics) {
            registry.counter("holdfast.events.handled", "topic", topic);
            registry.counter("holdfast.events.parked", "topic", topic);
            registry.counter("holdfast.events.positions.lost", "topic", topic);
            registry.counter("holdfast.events.dropped", "topic", topic);
            for (PoisonReason reason : PoisonReason.values()) {
                dead(topic, reason);
            }
        }
        for (Whom whom : Whom.values()) {
            retries(whom);
        }
        List.of("success", "duplicate", "retry", "manual").forEach(this::consumed);
        registry.counter("holdfast.events.ignored");
        registry.counter("holdfast.events.broke");
    }

    private enum Result {
        TAKEN,
        REPEAT,
        REFUSED
    }

    private Counter told(String type, Result result) {
        return registry.counter(
                "holdfast.events.told", "type", type, "result", result.name().toLowerCase(Locale.ROOT));
    }

    private Counter dead(String topic, PoisonReason reason) {
        return registry.counter("holdfast.events.dead", "topic", topic, "reason", reason.name());
    }

    private Counter retries(Whom whom) {
        return registry.counter("holdfast.events.retries", "whom", whom.title());
    }

    @Override
    public void told(String type, Verdict verdict, boolean repeated) {
        told(
                        type,
                        switch (verdict) {
                            case Verdict.Pending _, Verdict.Done _ -> repeated ? Result.REPEAT : Result.TAKEN;
                            case Verdict.Refused _ -> Result.REFUSED;
                        })
                .increment();
        if (type.equals(OrderCreateRequested.TYPE)) {
            consumed(repeated ? "duplicate" : "success").increment();
        }
    }

    private Counter consumed(String result) {
        return registry.counter("holdfast.order.consume", "result", result);
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
        if (event.channel() == Channel.ORDER_REQUESTS) {
            consumed("manual").increment();
        }
        LOG.atWarn()
                .addKeyValue(LogField.MESSAGE_ID, event.headers().getOrDefault("ce_id", ""))
                .addKeyValue(LogField.EVENT_PLACE, event.place())
                .log("an event waits in parked_event: {}", reason);
    }

    @Override
    public void unparked(String type) {
        registry.counter("holdfast.events.unparked", "type", type).increment();
    }

    @Override
    public void buried(RawEvent event, PoisonReason reason, String detail) {
        dead(event.topic(), reason).increment();
        if (event.channel() == Channel.ORDER_REQUESTS) {
            consumed("manual").increment();
        }
        LOG.atWarn()
                .addKeyValue(LogField.MESSAGE_ID, event.headers().getOrDefault("ce_id", ""))
                .addKeyValue(LogField.EVENT_PLACE, event.place())
                .addKeyValue(LogField.ERROR_CLASS, reason)
                .log("an event is a dead letter: {}", detail);
    }

    @Override
    public void retried(Whom whom, int attempt, String why) {
        retries(whom).increment();
        if (whom == Whom.ORDER) {
            consumed("retry").increment();
        }
        if (attempt % SAID_EVERY == 0) {
            LOG.warn("{} was asked {} times in vain because of an event: {}", whom.title(), attempt, why);
        }
    }

    @Override
    public void positionLost(String topic, int partition, long dropped) {
        registry.counter("holdfast.events.positions.lost", "topic", topic).increment();
        registry.counter("holdfast.events.dropped", "topic", topic).increment(dropped);
        LOG.warn(
                "the position on partition {} of {} is lost; it begins at the earliest event that is there, and {} or"
                        + " more were dropped before they were done with",
                partition,
                topic,
                dropped);
    }

    @Override
    public void broke(String what, Throwable failure) {
        registry.counter("holdfast.events.broke").increment();
        LOG.warn("{} broke and begins again", what, failure);
    }
}
