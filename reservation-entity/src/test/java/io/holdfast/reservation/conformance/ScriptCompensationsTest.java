package io.holdfast.reservation.conformance;

import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Instant;

/** What gives stock back in the tests of this module keeps the contract. */
class ScriptCompensationsTest extends CompensationsConformance {

    @Override
    protected Compensations over(StockScripts scripts, PoolDirectory directory) {
        return new ScriptCompensations(scripts, directory, Instant.parse("2026-07-25T12:31:00Z"));
    }
}
