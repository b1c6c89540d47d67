package io.holdfast.reservation.gate;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Passes;
import io.holdfast.engine.fleet.Pause;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.Outcomes;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Hands over, once in the fleet, what gates have let in and no node has handed over in time: the node that let it in has died, or was too
 * busy. Each hold is claimed for a lease, told to its reservation under the same ids and with the same content as before, and taken off its
 * list once the reservation's journal has it. What fails is claimed again when the lease is over.
 */
public final class HandOverWork implements FleetWork {

    /** Name of the work in the fleet. */
    public static final String NAME = "hand-over";

    private static final int POOLS_AT_ONCE = 32;
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final int REMEMBERED = 10_000;

    private final HandOver handOver;
    private final PoolDirectory pools;
    private final GateListener listener;
    private final InstantSource clock;
    private final Passes passes;

    /** Where the current pass is; empty between passes. */
    private Optional<String> after = Optional.empty();

    /** Whether a pool had more that was due than one claim takes: then the next pass does not wait for its beat. */
    private boolean hurry;

    private long listed;
    private Optional<Instant> oldest = Optional.empty();
    /** Claimed, and not handed over yet. */
    private final Set<String> left = new LinkedHashSet<>();

    /** @param interval from the beginning of one pass over all sales to the next */
    public HandOverWork(
            HandOver handOver, PoolDirectory pools, Duration interval, GateListener listener, InstantSource clock) {
        this.handOver = handOver;
        this.pools = pools;
        this.listener = listener;
        this.clock = clock;
        this.passes = new Passes(interval);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void begin(Connection connection) {
        after = Optional.empty();
        left.clear();
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        if (after.isEmpty()) {
            Duration early = passes.untilNext();
            if (!early.isZero() && !hurry) {
                return Pause.of(early);
            }
            passes.begin();
            hurry = false;
            listed = 0;
            oldest = Optional.empty();
        }
        List<PoolId> page = GatedPools.page(connection, after.orElse(""), POOLS_AT_ONCE);
        hurry |= handOver(page);
        if (page.size() == POOLS_AT_ONCE) {
            after = Optional.of(page.getLast().value());
            return Pause.NONE;
        }
        after = Optional.empty();
        listener.passed(
                listed,
                oldest.map(at -> Duration.between(at, clock.instant()))
                        .filter(age -> !age.isNegative())
                        .orElse(Duration.ZERO));
        return hurry ? Pause.NONE : Pause.of(passes.untilNext());
    }

    /** Whether some pool may have more that is due. */
    private boolean handOver(List<PoolId> page) {
        Map<PoolId, CompletableFuture<Outcome<Optional<HandOver.Round>>>> rounds = new LinkedHashMap<>();
        page.forEach(pool -> rounds.put(pool, answer(pool)));
        boolean more = false;
        for (var entry : rounds.entrySet()) {
            switch (entry.getValue().join()) {
                case Outcome.Known<Optional<HandOver.Round>>(Optional<HandOver.Round> round) -> {
                    if (round.isPresent()) {
                        more |= note(entry.getKey(), round.get());
                    }
                }
                case Outcome.Unknown<Optional<HandOver.Round>>(String why) ->
                    listener.notHandedOver(entry.getKey(), why);
                case Outcome.Unavailable<Optional<HandOver.Round>>(String why) ->
                    listener.notHandedOver(entry.getKey(), why);
            }
        }
        return more;
    }

    private boolean note(PoolId pool, HandOver.Round round) {
        int again = 0;
        Set<String> still = new HashSet<>(round.left());
        for (String reservation : round.claimed()) {
            if (left.remove(reservation)) {
                again++;
            }
            if (still.contains(reservation) && left.size() < REMEMBERED) {
                left.add(reservation);
            }
        }
        listed += round.listed() - (round.claimed().size() - round.left().size());
        if (round.oldest().isPresent()
                && oldest.filter(round.oldest().get()::isAfter).isEmpty()) {
            oldest = round.oldest();
        }
        if (!round.claimed().isEmpty()) {
            listener.handedOver(pool, round, again);
        }
        return round.full() && round.left().isEmpty();
    }

    private CompletableFuture<Outcome<Optional<HandOver.Round>>> answer(PoolId pool) {
        CompletionStage<Outcome<Optional<HandOver.Round>>> answer;
        try {
            answer = Outcomes.then(pools.standing(pool), standing -> due(pool, standing));
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.toCompletableFuture()
                .copy()
                .completeOnTimeout(
                        Outcome.unknown("no answer within " + LONGEST), LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> Outcome.unknown("it could not be asked: " + failure));
    }

    /** A pool that is compared or loaded anew hands over by itself, and lets nobody in meanwhile. */
    private CompletionStage<Outcome<Optional<HandOver.Round>>> due(PoolId pool, PoolStanding standing) {
        return standing instanceof PoolStanding.Serving serving
                        && serving.sale().isPresent()
                ? handOver.due(pool, serving.epoch(), serving.sale().get())
                        .thenApply(outcome -> outcome.map(Optional::of))
                : CompletableFuture.completedFuture(Outcome.known(Optional.empty()));
    }

    @Override
    public void failed(Throwable failure) {
        listener.failed(failure);
    }
}
