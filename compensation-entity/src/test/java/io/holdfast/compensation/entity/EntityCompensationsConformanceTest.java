package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.conformance.CompensationsConformance;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/** So do compensations with journals of their own. */
class EntityCompensationsConformanceTest extends CompensationsConformance {

    @Override
    protected Compensations over(StockScripts scripts, PoolDirectory directory) {
        return entities(
                new CompensationScripts(scripts, directory, InstantSource.fixed(Instant.parse("2026-07-25T12:31:00Z"))),
                directory);
    }

    static Compensations entities(CompensationScripts scripts, PoolDirectory directory) {
        var policies = new CompensationPolicies(EffectPolicies.standard().script(), false);
        Owing owing = (_, _) -> CompletableFuture.completedFuture(Outcome.known(new Owing.Standing.Owed()));
        return new EntityCompensations(
                new Desk(CompensationEntities.definition(policies, scripts, owing)), directory, Duration.ofSeconds(1));
    }
}
