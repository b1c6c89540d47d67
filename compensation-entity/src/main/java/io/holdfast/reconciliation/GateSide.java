package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Admission;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.entity.HandOver;
import java.util.concurrent.CompletionStage;

/** What gates have let in and no reservation has heard of: seen by a comparison before the journals know it, and handed over, never taken back. */
public interface GateSide {

    /** How many holds of the pool are on its list. */
    CompletionStage<Outcome<Long>> listed(PoolId pool);

    /**
     * Hands one over to its reservation, under the id and with the content that it was let in with.
     *
     * @return the reservation once its journal has the hold; never completes exceptionally
     */
    CompletionStage<Outcome<Reservation>> handOver(PoolId pool, Sale sale, String reservation, Admission admission);

    /** By what hands over on this node. */
    static GateSide of(HandOver handOver) {
        return new GateSide() {
            @Override
            public CompletionStage<Outcome<Long>> listed(PoolId pool) {
                return handOver.listed(pool);
            }

            @Override
            public CompletionStage<Outcome<Reservation>> handOver(
                    PoolId pool, Sale sale, String reservation, Admission admission) {
                return handOver.now(pool, sale, reservation, admission);
            }
        };
    }
}
