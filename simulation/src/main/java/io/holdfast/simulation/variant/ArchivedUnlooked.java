package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A pool is archived without a look at what is under way in it, neither in the journals nor in Redis. */
final class ArchivedUnlooked extends WrongVariant {

    @Override
    public String what() {
        return "archives a pool without looking at its reservations, nor whether units are reserved";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.values());
    }

    @Override
    public String script(String name, String text) {
        return name.equals("pool_status")
                ? otherwise(text, "if arg.target == 'ARCHIVED' and books.reserved > 0 then", "if false then")
                : text;
    }

    @Override
    public PoolReservations shown(SaleDay day, PoolReservations shown) {
        return new PoolReservations() {
            @Override
            public CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit) {
                // While it is compared or loaded it is not Closed but what that makes of it.
                return day.pools().journaled(pool.value()).state() instanceof StockPool.Closed
                        ? CompletableFuture.completedFuture(Outcome.known(List.of()))
                        : shown.page(pool, after, limit);
            }

            @Override
            public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
                return shown.mayBeOf(pool, reservationIds);
            }
        };
    }
}
