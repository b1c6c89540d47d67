package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.port.SiblingPools;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A bucket that has given units away is told that they have arrived, and nobody tells the one they are for. */
final class UnitsLostOnTheWay extends WrongVariant {

    @Override
    public String what() {
        return "takes units out of one bucket of a sale and brings them into no other";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.values());
    }

    @Override
    public SiblingPools siblings(SaleDay day, SiblingPools siblings) {
        return (pool, operation, patience) -> operation instanceof PoolOperation.Receive
                ? CompletableFuture.completedFuture(Outcome.known(Verdict.done()))
                : siblings.operate(pool, operation, patience);
    }
}
