package io.holdfast.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Which faults come, in which order and for how long: all of it follows from the seed. Every kind comes once before any comes again. */
final class FaultPlan {

    private static final int SHORTEST_MILLIS = 1_500;
    private static final int LONGEST_MILLIS = 14_000;
    private static final int SHORTEST_PAUSE_MILLIS = 2_000;
    private static final int LONGEST_PAUSE_MILLIS = 8_000;
    private static final int MOST_BEHIND_MILLIS = 1_500;
    private static final int ONE_IN = 3;

    private final RandomGenerator chance;
    private final List<FaultKind> kinds;
    private final Distribution distribution;
    private final List<FaultKind> left = new ArrayList<>();

    FaultPlan(RandomGenerator chance, List<FaultKind> kinds, Distribution distribution) {
        this.chance = chance;
        this.kinds = List.copyOf(kinds);
        this.distribution = distribution;
    }

    /** The next fault. */
    Fault next(List<Member> members) {
        if (left.isEmpty()) {
            left.addAll(kinds);
        }
        return taken(left.get(chance.nextInt(left.size())), members);
    }

    /** One that comes while another is there, if any does. */
    Optional<Fault> beside(List<Member> members) {
        List<FaultKind> fit = left.stream().filter(FaultKind::ofANode).toList();
        return fit.isEmpty() || chance.nextInt(ONE_IN) > 0
                ? Optional.empty()
                : Optional.of(taken(fit.get(chance.nextInt(fit.size())), members));
    }

    private Fault taken(FaultKind kind, List<Member> members) {
        left.remove(kind);
        Member victim = members.get(chance.nextInt(members.size()));
        return switch (kind) {
            case KILL -> new Fault.Kill(victim);
            case FREEZE -> new Fault.Freeze(victim);
            case ISOLATE -> new Fault.Isolate(victim);
            case CUT_POSTGRES -> new Fault.CutStore(victim, Lines.Store.POSTGRES, chance.nextBoolean());
            case CUT_REDIS -> new Fault.CutStore(victim, Lines.Store.REDIS, chance.nextBoolean());
            case CUT_KAFKA -> new Fault.CutStore(victim, Lines.Store.KAFKA, chance.nextBoolean());
            case RESTART_REDIS -> new Fault.RestartRedis();
            case FLUSH_REDIS -> new Fault.FlushRedis();
            case FAIL_OVER -> new Fault.FailOver(Duration.ofMillis(chance.nextInt(MOST_BEHIND_MILLIS)));
            case RESTART_POSTGRES -> new Fault.RestartPostgres();
            case RESTART_BROKER -> new Fault.RestartBroker();
            case ROLL -> new Fault.Roll(members, distribution);
        };
    }

    /** How long it lasts. */
    Duration lasts() {
        return Duration.ofMillis(chance.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS));
    }

    /** How long nothing new begins. */
    Duration pause() {
        return Duration.ofMillis(chance.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
    }
}
