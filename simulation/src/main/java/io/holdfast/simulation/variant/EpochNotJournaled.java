package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.port.VerificationNotice;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A pool is compared and loaded while its reservations know nothing of it: what was answered before is recorded after. */
final class EpochNotJournaled extends WrongVariant {

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "compares and loads a pool anew without its reservations journaling that first";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.FAILOVERS);
    }

    @Override
    StockScripts network(SaleDay day, StockScripts scripts) {
        return worseNetwork(
                day,
                scripts,
                _ -> false,
                request -> request instanceof CancelRequest || request instanceof RefundRequest);
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofMillis(700), "one more orders", day::somebodyOrders);
        day.simulation()
                .nowAndThen(
                        Duration.ofSeconds(3),
                        "Redis fails over once more",
                        () -> day.redis().failOverAfter(day.world().chance().between(1, 6)));
    }

    @Override
    public VerificationNotice notice(SaleDay day, VerificationNotice notice) {
        return new VerificationNotice() {
            @Override
            public CompletionStage<Outcome<Reservation>> tell(
                    String reservationId, long generation, Optional<PoolEpoch> loaded) {
                return CompletableFuture.completedFuture(Outcome.known(
                        day.reservations().journaled(reservationId).state()));
            }

            @Override
            public CompletionStage<Outcome<Reservation>> admissionLost(
                    String reservationId, long generation, long total, long promised) {
                return notice.admissionLost(reservationId, generation, total, promised);
            }
        };
    }
}
