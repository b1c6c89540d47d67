package io.holdfast.node;

import io.holdfast.engine.entity.Observation;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.EngineListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what entities live through, by machine and kind and never by id; logs what a person should look at and the engine does not log
 * itself.
 */
final class EntityMetrics implements EngineListener {

    private static final Logger LOG = LoggerFactory.getLogger(EntityMetrics.class);

    /** The effect that asks for the order of a hold that came in by a gate. */
    private static final String REQUEST_ORDER = "request-order";

    /** Effects of reservations that move stock: shown from the start, as how they fare is what is asked first. */
    private static final List<String> MOVES = List.of("try", "order-try", "confirm", "release", "refund");

    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final String RESERVATION = "reservation";

    private static final String STARTS = "holdfast.entity.starts";
    private static final String ENTRIES = "holdfast.journal.entries";
    private static final String LATE = "holdfast.effect.late";
    private static final String REPEATED = "holdfast.command.repeated";
    private static final String CONTRADICTED = "holdfast.command.contradicted";
    private static final String JOURNAL_FAILURES = "holdfast.journal.failures";
    private static final String UNREADABLE = "holdfast.journal.unreadable";
    private static final String BROKEN = "holdfast.entity.broken";
    private static final String CROWDED = "holdfast.entity.crowded";
    private static final String STALLED = "holdfast.effect.stalled";

    private final MeterRegistry registry;
    private final Map<String, AtomicInteger> loaded = new ConcurrentHashMap<>();
    /** Meters by machine, then by what tells them apart: looked up at every step of every entity, which the registry is slow for. */
    private final Map<String, Map<Asked, Timer>> asks = new ConcurrentHashMap<>();

    private final Map<String, Map<Attempt, Timer>> attempts = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Counter>> counters = new ConcurrentHashMap<>();

    private final Counter sends;
    private final Counter sendsUnknown;

    private record Attempt(String effect, Observation.Result result) {}

    /** @param machines names of those that run here: what is counted by machine alone is shown from the start, as 0 */
    EntityMetrics(MeterRegistry registry, List<String> machines) {
        this.registry = registry;
        this.sends = registry.counter("holdfast.reservation.send.attempts");
        this.sendsUnknown = registry.counter("holdfast.reservation.send.unknown");
        for (String machine : machines) {
            loaded(machine);
            for (String counted : List.of(
                    STARTS,
                    ENTRIES,
                    LATE,
                    REPEATED,
                    CONTRADICTED,
                    JOURNAL_FAILURES,
                    UNREADABLE,
                    BROKEN,
                    CROWDED,
                    STALLED)) {
                counter(counted, machine);
            }
        }
        if (machines.contains(RESERVATION)) {
            for (String move : MOVES) {
                for (Observation.Result result : Observation.Result.values()) {
                    attempts(RESERVATION, new Attempt(move, result));
                }
            }
        }
    }

    @Override
    public void asked(String machine, Asked outcome, Duration took) {
        asks.computeIfAbsent(machine, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        outcome,
                        kind -> registry.timer("holdfast.entity.asks", "machine", machine, "outcome", word(kind)))
                .record(took);
    }

    @Override
    public void recovered(String machine, String entityId, long sequenceNumber) {
        loaded(machine).incrementAndGet();
        count(STARTS, machine);
    }

    @Override
    public void stopped(String machine, String entityId, boolean owing) {
        loaded(machine).decrementAndGet();
    }

    @Override
    public void persisted(String machine, String entityId, long sequenceNumber, int entries, Cause cause) {
        counter(ENTRIES, machine).increment(entries);
    }

    @Override
    public void observed(String machine, String entityId, Observation observation) {
        switch (observation) {
            case Observation.AttemptEnded ended -> {
                countSend(ended);
                attempts(machine, new Attempt(ended.effect(), ended.result())).record(ended.took());
            }
            case Observation.LateOutcome _ -> count(LATE, machine);
            case Observation.DebtStays stays ->
                registry.counter("holdfast.effect.repeated", "machine", machine, "effect", stays.effect())
                        .increment();
            case Observation.Stalled stalled -> {
                count(STALLED, machine);
                LOG.atWarn()
                        .addKeyValue(LogField.idOf(machine), entityId)
                        .addKeyValue(LogField.EFFECT, stalled.effect())
                        .addKeyValue(LogField.ATTEMPT_COUNT, stalled.attempts())
                        .log("an effect keeps failing and is tried on: {}", stalled.lastError());
            }
            case Observation.Repeated _ -> count(REPEATED, machine);
            case Observation.Refused refused ->
                registry.counter(
                                "holdfast.command.refused",
                                "machine",
                                machine,
                                "reason",
                                refused.reason().code())
                        .increment();
            case Observation.Contradicted contradicted -> {
                count(CONTRADICTED, machine);
                LOG.atError()
                        .addKeyValue(LogField.idOf(machine), entityId)
                        .addKeyValue(LogField.MESSAGE_ID, contradicted.cause().id())
                        .log("an event came again with other content");
            }
        }
    }

    @Override
    public void journalFailed(String machine, String entityId, Throwable cause) {
        count(JOURNAL_FAILURES, machine);
    }

    @Override
    public void unreadable(String machine, String entityId, String why) {
        count(UNREADABLE, machine);
    }

    @Override
    public void broken(String machine, String entityId, Throwable cause) {
        count(BROKEN, machine);
    }

    @Override
    public void crowded(String machine, String entityId) {
        count(CROWDED, machine);
    }

    private void countSend(Observation.AttemptEnded ended) {
        if (ended.effect().equals(REQUEST_ORDER)) {
            sends.increment();
            if (ended.result() == Observation.Result.UNKNOWN) {
                sendsUnknown.increment();
            }
        }
    }

    private Timer attempts(String machine, Attempt attempt) {
        return attempts.computeIfAbsent(machine, _ -> new ConcurrentHashMap<>()).computeIfAbsent(attempt, kind -> {
            // Buckets for all: the page shows every timer of one name with them, or none.
            return Timer.builder("holdfast.effect.attempts")
                    .description("Attempts of effects, by effect and by what is known of their outcome")
                    .tag("machine", machine)
                    .tag("effect", kind.effect())
                    .tag("result", word(kind.result()))
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
        });
    }

    private void count(String name, String machine) {
        counter(name, machine).increment();
    }

    private Counter counter(String name, String machine) {
        return counters.computeIfAbsent(name, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(machine, one -> registry.counter(name, "machine", one));
    }

    private AtomicInteger loaded(String machine) {
        return loaded.computeIfAbsent(machine, name -> {
            var count = new AtomicInteger();
            registry.gauge("holdfast.entity.loaded", Tags.of("machine", name), count);
            return count;
        });
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
