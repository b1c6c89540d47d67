package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.port.VerificationNotice;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A pool is loaded anew while its reservations know nothing of it. */
final class EpochNotJournaled extends WrongVariant {

    @Override
    public String what() {
        return "compares and loads a pool anew without its reservations journaling that they know";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.OLD_DATA, Weather.FLUSHES, Weather.FAILOVERS);
    }

    @Override
    public VerificationNotice notice(SaleDay day, VerificationNotice notice) {
        return (id, _, _) -> CompletableFuture.completedFuture(
                Outcome.known(day.reservations().journaled(id).state()));
    }
}
