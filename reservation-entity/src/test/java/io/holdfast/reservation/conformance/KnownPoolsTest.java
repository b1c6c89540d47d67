package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.List;

/** The fake of the tests keeps the contract. */
class KnownPoolsTest extends PoolDirectoryConformance {

    private final KnownPools pools = new KnownPools();

    @Override
    protected PoolDirectory directory() {
        return pools;
    }

    @Override
    protected Outcome<PoolStanding> asked(PoolId pool) {
        return pools.standing(pool).toCompletableFuture().join();
    }

    @Override
    protected void stands(PoolId pool, PoolStanding standing) {
        pools.stands(pool, standing);
    }

    @Override
    protected void nobodyAnswers() {
        pools.answers(SOUP, Outcome.unavailable("nobody answers"));
    }

    @Override
    protected List<String> told(PoolId pool) {
        return pools.told(pool);
    }
}
