package io.holdfast.compensation.entity;

import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.conformance.CompensationsConformance;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Instant;
import java.time.InstantSource;

/** What gives stock back in a node keeps the contract: the short path, and behind it what is contradicted. */
class DirectCompensationsConformanceTest extends CompensationsConformance {

    @Override
    protected Compensations over(StockScripts scripts, PoolDirectory directory) {
        CompensationScripts asked =
                new CompensationScripts(scripts, directory, InstantSource.fixed(Instant.parse("2026-07-25T12:31:00Z")));
        return new DirectCompensations(asked, EntityCompensationsConformanceTest.entities(asked, directory));
    }
}
