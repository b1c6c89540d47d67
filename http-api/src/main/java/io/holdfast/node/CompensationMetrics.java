package io.holdfast.node;

import io.holdfast.compensation.entity.CompensationListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts what the scripts that give stock back answer. */
final class CompensationMetrics implements CompensationListener {

    private final Map<Answered, Counter> answers = new EnumMap<>(Answered.class);
    private final Counter applied;
    private final Counter missing;
    private final Counter conflicts;

    CompensationMetrics(MeterRegistry registry) {
        for (Answered answer : Answered.values()) {
            answers.put(
                    answer,
                    Counter.builder("holdfast.compensation")
                            .description("answers of the scripts that give stock back")
                            .tag("result", answer.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        applied = counter(registry, "already.applied", "stock that had been given back under the same key before");
        missing = counter(registry, "redis.missing", "holds that the journal has and Redis has not");
        conflicts = counter(registry, "state.conflict", "answers that contradict the journal; a person must decide");
    }

    private static Counter counter(MeterRegistry registry, String name, String meaning) {
        return Counter.builder("holdfast.compensation." + name)
                .description(meaning)
                .register(registry);
    }

    @Override
    public void answered(Answered answer) {
        Counter counter = answers.get(answer);
        if (counter != null) {
            counter.increment();
        }
        switch (answer) {
            case ALREADY_RELEASED, ALREADY_REFUNDED -> applied.increment();
            case MISSING -> missing.increment();
            case CONFIRMED_ALREADY, OTHER_COMPENSATION, MISMATCH, CONFLICT, EXCEEDS, CONTRADICTION ->
                conflicts.increment();
            case RELEASED, FENCED_EMPTY, REFUNDED, ARCHIVED, REFUSED -> {}
        }
    }
}
