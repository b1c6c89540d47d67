package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A directory that knows one thing, and remembers what it was told. */
final class FixedDirectory implements PoolDirectory {

    private final Outcome<PoolStanding> standing;
    final List<String> told = new ArrayList<>();

    FixedDirectory(PoolStanding standing) {
        this(Outcome.known(standing));
    }

    FixedDirectory(Outcome<PoolStanding> standing) {
        this.standing = standing;
    }

    @Override
    public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
        return CompletableFuture.completedFuture(standing);
    }

    @Override
    public void suspect(PoolId pool, String evidence) {
        told.add(evidence);
    }

    @Override
    public void forget(PoolId pool) {}
}
