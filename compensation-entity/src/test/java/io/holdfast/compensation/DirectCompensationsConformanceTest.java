package io.holdfast.compensation;

import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.conformance.CompensationsConformance;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Instant;
import java.time.InstantSource;

/** What gives stock back in a node keeps the contract. */
class DirectCompensationsConformanceTest extends CompensationsConformance {

    @Override
    protected Compensations over(StockScripts scripts, PoolDirectory directory) {
        return new DirectCompensations(scripts, directory, InstantSource.fixed(Instant.parse("2026-07-25T12:31:00Z")));
    }
}
