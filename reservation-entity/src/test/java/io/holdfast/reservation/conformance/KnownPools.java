package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Where pools stand, as the test says; and what the pools were told. A suspected one is suspect until the test says otherwise. */
public final class KnownPools implements PoolDirectory {

    private final Map<PoolId, Outcome<PoolStanding>> standings = new HashMap<>();
    private final Map<PoolId, List<String>> told = new HashMap<>();
    private final Map<PoolId, Integer> forgotten = new HashMap<>();
    private final Consumer<String> whenTold;

    public KnownPools() {
        this(_ -> {});
    }

    /** @param whenTold gets the evidence each time a pool is told */
    public KnownPools(Consumer<String> whenTold) {
        this.whenTold = whenTold;
    }

    /** One pool that stands so. */
    public static KnownPools of(PoolId pool, PoolStanding standing) {
        KnownPools pools = new KnownPools();
        pools.stands(pool, standing);
        return pools;
    }

    /** From now on the pool stands so. */
    public void stands(PoolId pool, PoolStanding standing) {
        answers(pool, Outcome.known(standing));
    }

    /** From now on this is what becomes of a question about the pool. */
    public void answers(PoolId pool, Outcome<PoolStanding> outcome) {
        standings.put(pool, outcome);
    }

    /** What the pool was told, oldest first. */
    public List<String> told(PoolId pool) {
        return told.getOrDefault(pool, List.of());
    }

    @Override
    public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
        return CompletableFuture.completedFuture(
                standings.getOrDefault(pool, Outcome.known(new PoolStanding.Unknown())));
    }

    @Override
    public void suspect(PoolId pool, long epoch, String evidence) {
        if (standings.get(pool) instanceof Outcome.Known<PoolStanding>(PoolStanding.Serving serving)
                && serving.epoch() > epoch) {
            return;
        }
        stands(pool, new PoolStanding.Suspect(evidence));
        told.computeIfAbsent(pool, _ -> new ArrayList<>()).add(evidence);
        whenTold.accept(evidence);
    }

    @Override
    public void forget(PoolId pool) {
        // It remembers nothing: every question is answered with what is so now.
        forgotten.merge(pool, 1, Integer::sum);
    }

    /** How often the pool was to be asked anew. */
    public int forgotten(PoolId pool) {
        return forgotten.getOrDefault(pool, 0);
    }
}
